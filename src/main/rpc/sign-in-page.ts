// The one page that is served to everybody. It knows nothing of the host but its name.

export const SIGN_IN_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>Sign in to Concord</title>
    <style>
      body { font: 13px/20px system-ui, sans-serif; max-width: 28rem; margin: 20vh auto 0; padding: 0 16px; }
      h1 { font-size: 15px; line-height: 22px; }
      form { display: flex; gap: 8px; }
      input { flex: 1; font: inherit; padding: 4px 8px; }
      button { font: inherit; padding: 4px 12px; }
    </style>
  </head>
  <body>
    <main>
      <h1>Sign in to Concord</h1>
      <p id="state" role="status">Open the link that <code>concord serve</code> printed, or paste a token here.</p>
      <form id="form">
        <input id="token" type="password" autocomplete="off" aria-label="Token" required />
        <button>Sign in</button>
      </form>
    </main>
    <script src="/sign-in.js"></script>
  </body>
</html>
`;

// The code stands in the fragment, which browsers send to no server and put in no referrer.
export const SIGN_IN_SCRIPT = `const state = document.getElementById('state');
const signIn = async (wish, refusal) => {
  state.textContent = 'Signing in …';
  try {
    const answer = await fetch('/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wish),
    });
    if (answer.ok) location.replace('/');
    else state.textContent = refusal;
  } catch {
    state.textContent = 'The host does not answer. Start it again and open its link.';
  }
};
const code = location.hash.slice(1);
if (code !== '') {
  history.replaceState(null, '', '/sign-in');
  void signIn({ code }, 'This link was used already or is too old. Paste a token, or start the host again for a new link.');
}
document.getElementById('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void signIn({ token: document.getElementById('token').value.trim() }, 'This host does not know that token.');
});
`;
