import t from 'tap'
import { messageWith, needsBrowser, write } from './support/browser.js'
import { leaveSettings, openSection } from './support/settings.js'
import { twoWindows } from './support/two-windows.js'

t.test('a person mutes another one, in one window, and the messages are hidden', needsBrowser, async t => {
  const { ada, mary, hers, other } = await twoWindows(t)
  const { page } = other
  const first = messageWith(page, 'the first one')
  const hidden = page.getByText('A message of a person you have muted.')
  const openCard = async () => {
    await page.getByRole('button', { name: 'Ada Lovelace' }).first().click()
    return page.getByRole('dialog', { name: 'Ada Lovelace' })
  }
  await first.waitFor()
  const card = await openCard()
  await card.getByRole('button', { name: 'Mute', exact: true }).click()
  await card.getByRole('button', { name: 'Unmute' }).waitFor()
  await page.keyboard.press('Escape')
  await hidden.waitFor()
  t.equal(await first.count(), 0)

  await t.test('also a new one, which is read from the start', async t => {
    await write(hers.page, 'the second one')
    await messageWith(hers.page, 'the second one').waitFor()
    await hidden.nth(1).waitFor()
    t.equal(await messageWith(page, 'the second one').count(), 0)
    t.equal(await messageWith(hers.page, 'the first one').count(), 1, 'the muted person notices nothing')
  })

  await t.test('one click shows one message', async t => {
    await page.getByRole('button', { name: 'Show', exact: true }).first().click()
    await first.waitFor()
    t.equal(await hidden.count(), 1)
  })

  await t.test('the settings list muted people and unmute them', async t => {
    await openSection(page, 'Muted people')
    await page.getByRole('button', { name: 'Unmute Ada Lovelace' }).click()
    await page.getByText('You have muted no person.').waitFor()
    await leaveSettings(page)
    await messageWith(page, 'the second one').waitFor()
    t.equal(await hidden.count(), 0)
  })

  await t.test('an event of another device changes the page', async t => {
    await mary.ok('POST', `/users/me/muted_users/${ada.id}`)
    await hidden.first().waitFor()
    await mary.ok('DELETE', `/users/me/muted_users/${ada.id}`)
    // The first one is shown already: the click above outlasts the muting.
    await messageWith(page, 'the second one').waitFor()
    t.equal(await hidden.count(), 0)
  })
  t.same([...hers.wrongs, ...other.wrongs], [])
})
