import t from 'tap'
import { hashPassword } from '../../server/auth/passwords.js'
import { demonstration } from '../support/demonstration.js'
import { deactivate } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { keptSession, launchBrowser, needsBrowser, openWindow } from './support/browser.js'

t.test('signing in', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const gone = await server.person()
  const hash = await hashPassword('open sesame')
  await server.sql`update users set password_hash = ${hash} where id in ${server.sql([ada.id, gone.id])}`
  await deactivate(server.sql, gone.id)
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, server.url, null)
  const signIn = async (email: string, password: string) => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  await t.test('is refused with a wrong password, an unknown address, a deactivated account', async t => {
    for (const [email, password, words] of [
      [ada.email, 'open sesam', /password|incorrect|wrong/i],
      ['nobody@test.example', 'open sesame', /password|incorrect|wrong/i],
      [gone.email, 'open sesame', /deactivated/i],
    ] as const) {
      await signIn(email, password)
      await page.getByRole('alert').getByText(words).waitFor()
      t.equal(await page.locator('.sidebar').count(), 0, email)
      t.equal(await keptSession(page), null)
      await page.getByLabel('Email').fill('')
    }
    t.equal(new URL(page.url()).search, '', 'no password in the address')
  })
  await t.test('is not even tried without what is needed', async t => {
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    for (const [email, password] of [
      ['', ''],
      ['ada', 'x'],
      [ada.email, ''],
    ] as const)
      await signIn(email, password)
    t.same(asked, [])
  })
  await t.test('holds over a reload, until signing out', async t => {
    await signIn(ada.email, 'open sesame')
    await page.locator('.sidebar').waitFor()
    await page.reload()
    await page.locator('.sidebar').waitFor()
    wrongs.splice(0, wrongs.length, ...wrongs.filter(wrong => !wrong.startsWith('loaded again')))
    await page.getByLabel('Your menu').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.equal(await keptSession(page), null)
  })
  await t.test('ends when the key is taken away', async t => {
    await signIn(ada.email, 'open sesame')
    await page.locator('.corner[data-phase="live"]').waitFor()
    await ada.ok('POST', '/users/me/api_key/regenerate')
    await page.getByText('Your session has ended').waitFor()
    t.equal(await keptSession(page), null)
  })
  await t.test('on one page is signing in on the others of the browser', async t => {
    const other = await page.context().newPage()
    await other.goto(server.url)
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(ada.email, 'open sesame')
    await other.locator('.sidebar').waitFor()
    t.pass()
  })
  t.same(wrongs, [])
})

t.test('entering the demonstration with one click', needsBrowser, async t => {
  const { server } = await demonstration(t)
  const { page, wrongs } = await openWindow(await launchBrowser(t), server.url, null)
  for (const name of ['owner', 'administrator', 'moderator', 'member', 'colleague', 'guest']) {
    await page.getByRole('button', { name, exact: true }).waitFor()
  }
  await page.getByRole('button', { name: 'member', exact: true }).click()
  await page.locator('.sidebar').waitFor()
  t.match(await keptSession(page), /member@demo\.example/)
  t.same(wrongs, [])
})
