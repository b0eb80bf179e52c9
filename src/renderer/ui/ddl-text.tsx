import { ddlTokens } from './ddl-model.ts';
import './ddl-text.css';

/** DDL as text with its keywords in colour. */
export function DdlText({ ddl }: { readonly ddl: string }) {
  return (
    <pre className="ddl" tabIndex={0} aria-label="DDL">
      <code>
        {ddlTokens(ddl).map((token, index) => (
          <span key={index} className={token.isKeyword ? 'ddl-keyword' : undefined}>
            {token.text}
          </span>
        ))}
      </code>
    </pre>
  );
}
