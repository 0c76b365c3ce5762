import t from 'tap'
import { setOrganization } from '../support/organization.js'
import { messageWith, needsBrowser, write } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

t.test('about a message', needsBrowser, async t => {
  const { server, ada, mary, hers, other } = await twoWindows(t)
  await setOrganization(server.sql, { enable_read_receipts: true, message_edit_history_visibility_policy: 'all' })
  await server.ctx.directory.fresh()
  await write(hers.page, 'lunch at twelve')
  const seen = messageWith(other.page, 'lunch at twelve')
  await seen.waitFor()
  const [last] = (await mary.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages
  await ada.ok('PATCH', `/messages/${last.id}`, { content: 'lunch at noon' })
  await mary.ok('POST', '/messages/flags', { messages: [last.id], op: 'add', flag: 'read' })
  const open = async () => {
    const message = messageWith(hers.page, 'lunch at noon')
    await message.hover()
    await message.getByLabel('More actions').click()
    await hers.page.getByRole('menuitem', { name: 'Readers and changes' }).click()
    const dialog = hers.page.getByRole('dialog', { name: 'About this message' })
    await dialog.getByRole('region', { name: 'Changes' }).getByRole('listitem').first().waitFor()
    return dialog
  }
  const dialog = await open()
  await dialog.getByRole('region', { name: 'Read by' }).getByText('Mary Somerville').waitFor()
  const changes = dialog.getByRole('region', { name: 'Changes' })
  t.equal(await changes.getByRole('listitem').count(), 2)
  t.equal(await changes.locator('.highlight_text_inserted').textContent(), 'noon')
  t.equal(await changes.locator('.highlight_text_deleted').textContent(), 'twelve')
  await hers.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await setOrganization(server.sql, { enable_read_receipts: false })
  await server.ctx.directory.fresh()
  await (await open()).getByText('Read receipts are disabled').waitFor()
  t.same([...hers.wrongs, ...other.wrongs], [])
})
