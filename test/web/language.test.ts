import type { Page } from 'playwright-core'
import t from 'tap'
import { messageWith, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'
import { openSection } from './support/settings.js'
import { twoWindows } from './support/two-windows.js'

const spoken = (page: Page) => page.evaluate(`document.documentElement.lang + ' ' + document.documentElement.dir`)

/** The scripts of the page with German texts. */
const germanScripts = (page: Page): Promise<string[]> =>
  page.evaluate(`Promise.all(performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .map(async ({ name }) => (await (await fetch(name)).text()).includes('Posteingang') ? [name] : []))
    .then(found => found.flat())`)

t.test('languages', needsBrowser, async t => {
  const { server, browser, url, ada, mary, hers, other } = await twoWindows(t)

  await t.test('before signing in the browser’s languages count', async t => {
    const german = await openWindow(browser, server.url, null, { locale: 'de-AT' })
    await german.page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    t.equal(await spoken(german.page), 'de ltr')
    await german.page.getByLabel('E-Mail-Adresse').fill(ada.email)
    await german.page.getByLabel('Passwort').fill('wrong')
    await german.page.getByRole('button', { name: 'Anmelden' }).click()
    await german.page.getByRole('alert').getByText('Adresse oder Passwort stimmen nicht.').waitFor()
    const french = await openWindow(browser, server.url, null, { locale: 'fr-FR' })
    await french.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.equal(await spoken(french.page), 'en ltr')
    const wrongs = [...german.wrongs, ...french.wrongs]
    t.same(
      wrongs.filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })

  await t.test('in the account the setting counts, not the browser, and the page loads one language', async t => {
    t.equal(await spoken(hers.page), 'en ltr')
    t.same(await germanScripts(hers.page), [])
    const { page, wrongs } = await openWindow(browser, url, ada, { locale: 'de-DE' })
    await page.locator('.sidebar').getByRole('link', { name: 'Inbox' }).waitFor()
    t.equal(await spoken(page), 'en ltr')
    t.same(wrongs, [])
  })

  await t.test('a new browser that prefers another language than the account is asked, once', async t => {
    const person = await server.person({ full_name: 'Emmy Noether' })
    const { page, wrongs } = await openWindow(browser, url, person, { locale: 'de-DE' })
    await page.getByText('In deinem Konto ist English eingestellt.').waitFor()
    t.equal(await spoken(page), 'en ltr')
    await page.getByRole('button', { name: 'Deutsch verwenden' }).click()
    await page.getByRole('link', { name: 'Posteingang' }).waitFor()
    const { user_settings } = await person.ok('POST', '/register', { fetch_event_types: ['user_settings'] })
    t.match(user_settings, { default_language: 'de', twenty_four_hour_time: true })
    await person.ok('PATCH', '/settings', { default_language: 'en' })
    await page.getByRole('link', { name: 'Inbox' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Inbox' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Deutsch verwenden' }).count(), 0, 'the choice is known')
    const french = await openWindow(browser, url, person, { locale: 'fr-FR' })
    await french.page.getByRole('link', { name: 'Inbox' }).waitFor()
    t.equal(await french.page.locator('.toast-offer').count(), 0, 'no other language of the page is preferred')
    t.same(
      [...wrongs, ...french.wrongs].filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })

  await t.test('the settings offer the languages, and all windows of the user follow', async t => {
    const { page } = hers
    const second = await openWindow(browser, url, ada)
    await openSection(page, 'Appearance')
    const choice = page.getByLabel('Language')
    t.same(await choice.locator('option').allTextContents(), ['English', 'Deutsch'])
    await choice.selectOption('Deutsch')
    await page.getByRole('link', { name: 'Darstellung' }).waitFor()
    await page.getByText('Gespeichert', { exact: true }).waitFor()
    t.equal(await page.getByLabel('Sprache').inputValue(), 'de')
    t.same(await page.getByLabel('Startansicht').locator('option').allTextContents(), [
      'Posteingang',
      'Letzte Unterhaltungen',
      'Alle Nachrichten',
    ])
    await page.keyboard.press('Escape')
    await second.page.getByRole('link', { name: 'Posteingang' }).waitFor()
    t.equal(await spoken(second.page), 'de ltr')
    t.equal((await germanScripts(second.page)).length, 1)
    const { user_settings } = await ada.ok('POST', '/register', { fetch_event_types: ['user_settings'] })
    t.equal(user_settings.default_language, 'de')
    t.equal(await spoken(other.page), 'en ltr', 'other users keep theirs')
    t.same([...hers.wrongs, ...second.wrongs], [])
  })

  await t.test('an address leads to the settings in German, in a browser that began in English', async t => {
    const { page, wrongs } = await openWindow(browser, `${url.split('#')[0]}#settings/privacy`, ada)
    await page.getByRole('main', { name: 'Privatsphäre' }).waitFor()
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a time has the form of the settings, in its title, too', async () => {
    const time = (selector: string) => messageWith(other.page, 'the first one').locator(selector).first().waitFor()
    await mary.ok('PATCH', '/settings', { twenty_four_hour_time: false })
    await time('.time[title$="m"]')
    await mary.ok('PATCH', '/settings', { twenty_four_hour_time: true })
    await time('.time:not([title$="m"])')
  })

  await t.test('views, times, counts and lists are German', async t => {
    await ada.ok('PATCH', '/settings', { twenty_four_hour_time: true })
    const { page, wrongs } = await openWindow(browser, url, ada, { locale: 'de-DE' })
    await page.getByPlaceholder('Nachricht an notes').waitFor()
    await page.locator('.day-line', { hasText: /^Heute$/ }).waitFor()
    t.match(await messageWith(page, 'the first one').locator('.time').first().textContent(), /^\d\d:\d\d$/)
    t.match(
      await messageWith(page, 'the first one').locator('.time').first().getAttribute('title'),
      /^\d+\.\d+\.\d{4}, \d\d:\d\d$/,
    )
    await page.getByLabel('Mehr', { exact: true }).click()
    await page.getByRole('button', { name: 'Thema stummschalten' }).waitFor()
    await page.keyboard.press('Escape')
    for (const content of ['one', 'two']) await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content })
    await page.getByRole('link', { name: 'Posteingang' }).click()
    await page.getByRole('heading', { name: 'Posteingang' }).waitFor()
    await page.getByRole('heading', { name: 'Direktnachrichten' }).first().waitFor()
    await page.locator('.inbox-row', { hasText: 'Mary Somerville' }).waitFor()
    await page.getByRole('button', { name: 'Mary Somerville als gelesen markieren' }).click()
    await page.getByText('2 Nachrichten als gelesen markiert.').waitFor()
    await page.getByText('Du hast alles gelesen.').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Tastenkürzel' }).getByText('Strg').first().waitFor()
    t.same(wrongs, [])
  })

  await t.test('the page begins in the language that it had, also before the server answers', async t => {
    const { page } = hers
    await page
      .context()
      .route('**/*', async (route, request) =>
        new URL(request.url()).pathname.startsWith('/assets/') || request.isNavigationRequest()
          ? route.continue()
          : route.abort(),
      )
    await page.routeWebSocket(/./, socket => void socket.close())
    await page.reload()
    await page.getByText('Keine Verbindung: Du siehst den Stand von').waitFor()
    t.equal(await spoken(page), 'de ltr')
  })

  await t.test('a language that the page does not speak leaves it in English', async t => {
    await mary.ok('PATCH', '/settings', { default_language: 'fr' })
    const { page, wrongs } = await openWindow(browser, url, mary, { locale: 'de-DE' })
    await page.getByRole('link', { name: 'Inbox' }).waitFor()
    t.equal(await spoken(page), 'en ltr')
    await mary.ok('PATCH', '/settings', { default_language: 'de-ch' })
    await until(page, `document.documentElement.lang === 'de'`)
    t.same(wrongs, [])
  })
})
