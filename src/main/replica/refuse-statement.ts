import { classifyStatement, type StatementClass } from '../sql/classify-statement.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { namesInSql } from '../sql/names-in-sql.ts';
import type { ExecError } from './replica.ts';

const READING_PRAGMAS =
  /^\s*pragma\s+(\w+\.)?(table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|foreign_key_list|foreign_key_check|integrity_check|quick_check|database_list|collation_list|compile_options|page_count|page_size|freelist_count|encoding|user_version|application_id|data_version)\b(?!\s*=)/i;

/**
 * Why a statement does not run through Concord: it touches bookkeeping, or reaches beyond the replica. Null when it may
 * run.
 */
export function refuseStatement(
  text: string,
  kind: StatementClass = classifyStatement(text),
): ExecError | null {
  const name = namesInSql(text).find(isBookkeepingName);
  if (name !== undefined) {
    return {
      code: 'refused-statement',
      message: `${name} belongs to Concord's bookkeeping, which SQL may not touch.`,
      statement: text,
    };
  }
  if (kind.kind === 'attach' || kind.kind === 'detach') {
    return {
      code: 'refused-statement',
      message: 'ATTACH and DETACH reach beyond the replica: use another connection for that.',
      statement: text,
    };
  }
  if (kind.kind === 'pragma' && !READING_PRAGMAS.test(text)) {
    return {
      code: 'refused-statement',
      message: 'This PRAGMA may change what the replica relies on. Those that only read are allowed.',
      statement: text,
    };
  }
  if (kind.temporary && kind.kind === 'createTrigger') {
    return {
      code: 'refused-statement',
      message:
        "A temporary trigger would run for whatever Concord's own connection writes. Make it in the application's.",
      statement: text,
    };
  }
  return null;
}
