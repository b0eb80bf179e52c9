/** A scenario file that cannot be understood, with the place. Thrown inside the reader, caught by `parseScenario`. */
export class ScenarioMistake extends Error {
  override readonly name = 'ScenarioMistake';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
