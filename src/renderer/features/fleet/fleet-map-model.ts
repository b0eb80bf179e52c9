// The map's own layered layout: the best linked replica in the middle, what hangs on it to its right and left, layer
// by layer. Links that close a circle are drawn between the places that the tree gave.

export interface MapNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface MapEdge {
  readonly id: string;
  readonly path: string;
  /** Where the link's mark stands. */
  readonly middle: { readonly x: number; readonly y: number };
}

export interface MapLayout {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  readonly heightPx: number;
}

export interface MapLink {
  readonly id: string;
  readonly a: string;
  readonly b: string;
}

export const NODE_WIDTH_PX = 132;
export const NODE_HEIGHT_PX = 26;
/** Rows of a small fleet stand wider apart, those of a large one as close as they can be read. */
const ROW_MIN_PX = 46;
const ROW_MAX_PX = 72;
const WANTED_HEIGHT_PX = 300;
const MARGIN_PX = 16;
/** A root with as many branches as this has them on both sides. */
const TWO_SIDED_MIN = 3;

/** Places replicas (by id, in the order in which equals are taken) and their links within a width. */
export function mapLayout(graph: {
  readonly ids: readonly string[];
  readonly links: readonly MapLink[];
  readonly widthPx: number;
}): MapLayout {
  const { ids, links, widthPx } = graph;
  const neighboursById = neighbours(ids, links);
  let topRow = 0;
  const placed: Slot[] = [];
  for (const component of components(ids, neighboursById)) {
    const slots = placeComponent(component, neighboursById);
    const rows = Math.max(...slots.map((slot) => slot.row)) + 1;
    placed.push(...slots.map((slot) => ({ ...slot, row: slot.row + topRow })));
    topRow += rows;
  }
  const rowPx = Math.max(ROW_MIN_PX, Math.min(ROW_MAX_PX, WANTED_HEIGHT_PX / Math.max(1, topRow)));
  const nodes = toPixels(placed, { widthPx, rowPx });
  return {
    nodes,
    edges: links.flatMap((link) => edgeOf(link, nodes)),
    heightPx: topRow * rowPx + MARGIN_PX,
  };
}

/** A place in rows and layers; the root's layer is 0, left of it is negative. */
interface Slot {
  readonly id: string;
  readonly layer: number;
  readonly row: number;
}

type NeighboursById = ReadonlyMap<string, readonly string[]>;

function neighbours(ids: readonly string[], links: readonly MapLink[]): NeighboursById {
  const byId = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { a, b } of links) {
    if (!byId.has(a) || !byId.has(b)) continue;
    byId.get(a)?.push(b);
    byId.get(b)?.push(a);
  }
  return byId;
}

/** Connected parts, the largest first; single replicas come last. */
function components(ids: readonly string[], neighboursById: NeighboursById): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const parts = ids.flatMap((id) => {
    if (seen.has(id)) return [];
    const part = [id];
    seen.add(id);
    for (const member of part) {
      for (const next of neighboursById.get(member) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        part.push(next);
      }
    }
    return [part];
  });
  return parts.sort((a, b) => b.length - a.length);
}

function placeComponent(members: readonly string[], neighboursById: NeighboursById): readonly Slot[] {
  const root = rootOf(members, neighboursById);
  const childrenById = spanningTree(root, neighboursById);
  const branches = childrenById.get(root) ?? [];
  const left = branches.length >= TWO_SIDED_MIN ? leftBranches(branches, childrenById) : [];
  const right = branches.filter((branch) => !left.includes(branch));
  const rightSlots = placeForest({ roots: right, childrenById, direction: 1 });
  const leftSlots = placeForest({ roots: left, childrenById, direction: -1 });
  const height = Math.max(1, leafRows(rightSlots), leafRows(leftSlots));
  const centred = (slots: readonly Slot[]): readonly Slot[] => {
    const shift = (height - leafRows(slots)) / 2;
    return slots.map((slot) => ({ ...slot, row: slot.row + shift }));
  };
  return [{ id: root, layer: 0, row: (height - 1) / 2 }, ...centred(leftSlots), ...centred(rightSlots)];
}

/** The best linked; of equals the one that the caller named first. */
function rootOf(members: readonly string[], neighboursById: NeighboursById): string {
  const degree = (id: string): number => neighboursById.get(id)?.length ?? 0;
  return members.reduce((best, id) => (degree(id) > degree(best) ? id : best));
}

function spanningTree(root: string, neighboursById: NeighboursById): ReadonlyMap<string, readonly string[]> {
  const childrenById = new Map<string, string[]>();
  const seen = new Set([root]);
  const queue = [root];
  for (const id of queue) {
    const children = (neighboursById.get(id) ?? []).filter((next) => !seen.has(next));
    const unique = [...new Set(children)];
    for (const child of unique) seen.add(child);
    childrenById.set(id, unique);
    queue.push(...unique);
  }
  return childrenById;
}

/** Branches for the left side: the lightest ones, up to a third of the leaves, at least one. */
function leftBranches(
  branches: readonly string[],
  childrenById: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const weigh = (id: string): number => {
    const children = childrenById.get(id) ?? [];
    return children.length === 0 ? 1 : children.reduce((sum, child) => sum + weigh(child), 0);
  };
  const weighed = branches.map((id) => ({ id, weight: weigh(id) })).sort((a, b) => a.weight - b.weight);
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  let taken = 0;
  return weighed
    .filter(({ weight }) => {
      if (taken > 0 && taken + weight > total / 2) return false;
      taken += weight;
      return true;
    })
    .map(({ id }) => id);
}

/** Leaves take a row each; what has children stands at their middle. */
function placeForest(forest: {
  readonly roots: readonly string[];
  readonly childrenById: ReadonlyMap<string, readonly string[]>;
  readonly direction: 1 | -1;
}): readonly Slot[] {
  const { roots, childrenById, direction } = forest;
  const slots: Slot[] = [];
  let nextRow = 0;
  const place = (id: string, depth: number): number => {
    const childRows = (childrenById.get(id) ?? []).map((child) => place(child, depth + 1));
    const row = childRows.length === 0 ? nextRow++ : ((childRows[0] ?? 0) + (childRows.at(-1) ?? 0)) / 2;
    slots.push({ id, layer: depth * direction, row });
    return row;
  };
  for (const root of roots) place(root, 1);
  return slots;
}

function leafRows(slots: readonly Slot[]): number {
  return slots.length === 0 ? 0 : Math.floor(Math.max(...slots.map((slot) => slot.row))) + 1;
}

function toPixels(
  slots: readonly Slot[],
  { widthPx, rowPx }: { readonly widthPx: number; readonly rowPx: number },
): readonly MapNode[] {
  const layers = slots.map((slot) => slot.layer);
  const first = Math.min(0, ...layers);
  const last = Math.max(0, ...layers);
  const inner = Math.max(widthPx - 2 * MARGIN_PX - NODE_WIDTH_PX, NODE_WIDTH_PX);
  const step = last === first ? 0 : inner / (last - first);
  return slots.map(({ id, layer, row }) => ({
    id,
    x: MARGIN_PX + NODE_WIDTH_PX / 2 + (last === first ? inner / 2 : (layer - first) * step),
    y: MARGIN_PX / 2 + rowPx * (row + 0.5),
  }));
}

function edgeOf(link: MapLink, nodes: readonly MapNode[]): readonly MapEdge[] {
  const a = nodes.find((node) => node.id === link.a);
  const b = nodes.find((node) => node.id === link.b);
  if (a === undefined || b === undefined) return [];
  const [left, right] = a.x <= b.x ? [a, b] : [b, a];
  return [Math.abs(left.x - right.x) < 1 ? sideEdge(link.id, left, right) : curve(link.id, left, right)];
}

function curve(id: string, left: MapNode, right: MapNode): MapEdge {
  const from = left.x + NODE_WIDTH_PX / 2;
  const to = right.x - NODE_WIDTH_PX / 2;
  const bend = (from + to) / 2;
  return {
    id,
    path: `M${from} ${left.y}C${bend} ${left.y} ${bend} ${right.y} ${to} ${right.y}`,
    middle: { x: bend, y: (left.y + right.y) / 2 },
  };
}

/** Between two of one layer: out at the right side and back in. */
function sideEdge(id: string, a: MapNode, b: MapNode): MapEdge {
  const x = a.x + NODE_WIDTH_PX / 2;
  const out = x + 36;
  return {
    id,
    path: `M${x} ${a.y}C${out} ${a.y} ${out} ${b.y} ${x} ${b.y}`,
    middle: { x: x + 27, y: (a.y + b.y) / 2 },
  };
}
