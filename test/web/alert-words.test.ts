import t from 'tap'
import { messageWith, needsBrowser, write } from './support/browser.js'
import { leaveSettings, openSection } from './support/settings.js'
import { twoWindows } from './support/two-windows.js'

t.test('alert words', needsBrowser, async t => {
  const { mary, hers, other } = await twoWindows(t)
  const { page } = other
  const panel = await openSection(page, 'Alert words')
  await panel.getByLabel('New alert word').fill('steam')
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Remove steam' }).waitFor()
  // The event of the word may come before the answer, which empties the box.
  while ((await panel.getByLabel('New alert word').inputValue()) !== '') await page.waitForTimeout(30)
  t.same((await mary.ok('GET', '/users/me/alert_words')).alert_words, ['steam'])
  await leaveSettings(page)

  await t.test('a message with one stands out for this person alone', async t => {
    await write(hers.page, 'more **steam**, less _steaming_')
    const message = messageWith(page, 'more steam')
    await message.waitFor()
    t.same(await message.locator('mark').allTextContents(), ['steam'])
    t.match(await message.getAttribute('class'), /alerted/)
    t.equal(await messageWith(hers.page, 'more steam').locator('mark').count(), 0)
  })

  await t.test('without the word the mark goes', async t => {
    await mary.ok('DELETE', '/users/me/alert_words', { alert_words: ['steam'] })
    await messageWith(page, 'more steam').locator('mark').waitFor({ state: 'detached' })
    await write(hers.page, 'steam again')
    await messageWith(page, 'steam again').waitFor()
    t.notMatch(await messageWith(page, 'steam again').getAttribute('class'), /alerted/)
  })
  t.same([...hers.wrongs, ...other.wrongs], [])
})
