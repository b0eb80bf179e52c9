import { patiently, test, tryExampleFleet, verdict } from './support/console-test.ts';

// The operator's story: is anything wrong, where, why, what are the choices and their price, do it, did it help?
test('a stuck peer, end to end: from the verdict to five free replicas and a journal entry', async ({
  signedIn: page,
}) => {
  await patiently(verdict(page)).toHaveText('This fleet has no replica yet.');
  await tryExampleFleet(page);
  await patiently(verdict(page)).toHaveText(
    '3 of 5 replicas need you: hq, harbour and market are blocked on orders.',
  );
  await patiently(
    page.getByText('One decision frees all three. The other 2 look after themselves: 2 in sync.'),
  ).toBeVisible();

  await page.getByRole('row', { name: /^hq: blocked/ }).dblclick();
  await patiently(verdict(page)).toHaveText(
    'hq is blocked: orders has another shape here than what comes from harbour.',
  );
  const checklist = page.getByRole('region', { name: 'Why is nothing arriving from harbour?' });
  await patiently(checklist.getByText('Stops here.')).toBeVisible();

  await page.getByRole('tab', { name: 'Catalog' }).click();
  await patiently(page.getByRole('row', { name: 'table orders' })).toBeVisible();
  await page.getByRole('tab', { name: 'Migrations' }).click();
  await patiently(page.getByRole('row', { name: 'create table orders: executed' })).toBeVisible();

  await page.getByRole('tab', { name: 'Overview' }).click();
  await checklist.getByRole('link', { name: 'Decide' }).click();
  await patiently(verdict(page)).toHaveText(
    'hq cannot take harbour’s batch: both sides created orders, with different columns.',
  );

  const both = page.getByRole('region', { name: 'Both definitions' });
  await patiently(both.locator('.monaco-diff-editor .editor.original')).toContainText('pickup_on');
  await patiently(both.locator('.monaco-diff-editor .editor.modified')).toContainText('taken_by');
  await patiently(both.locator('.monaco-diff-editor .char-delete').first()).toBeVisible();
  await patiently(both.getByRole('row', { name: /^total type REAL TEXT/ })).toBeVisible();

  const cards = page.getByRole('group', { name: /What should orders be/ });
  await patiently(cards.getByText(/change orders to till-1’s shape\. [\d,]+ rows converted/)).toBeVisible();
  await patiently(cards.getByText(/change orders to hq’s shape\. [\d,]+ rows converted/)).toBeVisible();

  const about = page.getByRole('complementary', { name: 'About this batch' });
  await patiently(about.getByText('Preview of Take remote')).toBeVisible();
  await patiently(about.getByText(/hq and market convert [\d,]+ rows, none loses/)).toBeVisible();
  await patiently(about.getByText('Frees 3 replicas: hq, harbour and market')).toBeVisible();

  const apply = page.getByRole('button', { name: 'Take till-1’s orders' });
  await patiently(apply).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('textbox', { name: /Why\?/ }).fill('The tills are in use; the office follows them');
  await apply.click();

  await patiently(verdict(page)).toHaveText('orders is decided: all three replicas are free.');
  await patiently(page.getByRole('row', { name: 'hq in sync decided here; its line goes on' })).toBeVisible();
  await patiently(page.getByRole('row', { name: 'harbour in sync came free by itself' })).toBeVisible();
  await patiently(page.getByRole('row', { name: 'market in sync came free by itself' })).toBeVisible();

  await page.getByRole('link', { name: 'Look at the journal' }).click();
  const entry = page.getByRole('table', { name: 'Decision journal' }).getByRole('row').nth(1);
  await patiently(entry).toContainText('Take remote');
  await patiently(entry).toContainText('The tills are in use; the office follows them');

  await page.getByRole('link', { name: /^Fleet/ }).click();
  await patiently(verdict(page)).toHaveText('All 5 replicas are in sync.');
  await page.getByRole('link', { name: 'Activity' }).click();
  await patiently(
    page.getByText(/orders was decided on hq: Take remote: The tills are in use/),
  ).toBeVisible();
});

test('keeping the local shape where casts lose asks for the name and the number of replicas', async ({
  signedIn: page,
}) => {
  await tryExampleFleet(page);
  await page.getByRole('link', { name: 'Decide on orders, which blocks hq' }).click();
  await page.getByText('Keep local').click();
  await page.getByRole('textbox', { name: /Why\?/ }).fill('Totals are numbers');
  const keep = page.getByRole('button', { name: 'Keep hq’s orders' });
  await patiently(page.getByText('Type orders to confirm.')).toBeVisible();
  await page.getByText('What the casts lose').click();
  await patiently(page.getByText(/^total of .* becomes/).first()).toBeVisible();
  await page.getByRole('textbox', { name: /Type the name of the table/ }).fill('orders');
  const count = page.getByRole('textbox', { name: /how many replicas/ });
  const wanted = /(\d+)\.$/.exec(
    (await page.getByText(/^Type the number of replicas/).textContent()) ?? '',
  )?.[1];
  await count.fill(wanted ?? '');
  await page.keyboard.press('Enter');
  await patiently(verdict(page)).toHaveText(/^hq cannot take/);
  await keep.click();
  await patiently(verdict(page)).toHaveText('orders is decided: all three replicas are free.');
});
