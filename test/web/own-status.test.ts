import t from 'tap'
import { messageWith, needsBrowser } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

t.test('own status', needsBrowser, async t => {
  const { hers, other } = await twoWindows(t)
  const sign = messageWith(other.page, 'the first one').locator('.status-sign')
  await messageWith(other.page, 'the first one').waitFor()
  t.equal(await sign.count(), 0)
  const open = async () => {
    await hers.page.getByLabel('Your menu').click()
    await hers.page.getByRole('button', { name: 'Your status' }).click()
    return hers.page.getByRole('dialog', { name: 'Your status' })
  }
  const dialog = await open()
  await dialog.getByLabel('Text').fill('on a train')
  await dialog.getByRole('button', { name: 'Choose an emoji' }).click()
  const picker = hers.page.getByRole('dialog', { name: 'Emoji', exact: true })
  await picker.getByLabel('Search emoji').fill('train')
  await picker.getByRole('button').first().click()
  await dialog.getByRole('button', { name: /^Emoji: / }).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await sign.waitFor()
  t.equal(await sign.getAttribute('title'), 'on a train')
  t.match(await sign.locator('.emoji').textContent(), /^\p{Extended_Pictographic}/u)
  const again = await open()
  t.equal(await again.getByLabel('Text').inputValue(), 'on a train')
  await again.getByRole('button', { name: 'Clear' }).click()
  await sign.waitFor({ state: 'detached' })
  t.same([...hers.wrongs, ...other.wrongs], [])
})
