import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'

t.test('a block of code is opened in the playgrounds of its language', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace', role: 100 })
  const template = (name: string) => `${server.url}/${name}{?code}`
  const add = (name: string, pygments_language: string) =>
    ada.ok('POST', '/realm/playgrounds', { name, pygments_language, url_template: template(name) })
  await add('first', 'Python')
  const { id: second } = await add('second', 'python')
  await add('other', 'Rust')
  const code = 'print("1 & 2")\n'
  await ada.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: `\`\`\`python\n${code}\`\`\`` })
  await ada.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: '```\nplain\n```' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#direct/${ada.id}`, ada)
  const message = messageWith(page, 'print')
  const open = (name: string) => message.getByRole('button', { name: `Open in ${name}` })
  await open('first').waitFor()
  await open('second').waitFor()
  t.equal(await open('other').count(), 0, 'of another language')
  t.equal(
    await messageWith(page, 'plain')
      .getByRole('button', { name: /Open in/ })
      .count(),
    0,
    'of no language',
  )
  t.notMatch(await message.locator('.content').textContent(), /Open in/, 'the buttons are no text of the message')

  for (const press of [() => open('first').click(), () => open('first').press('Enter')]) {
    const [opened] = await Promise.all([page.context().waitForEvent('page'), press()])
    await opened.waitForURL('**/first?*')
    const address = new URL(opened.url())
    t.equal(address.pathname, '/first')
    t.equal(address.searchParams.get('code'), code)
    await opened.close()
  }
  if (process.env.PICTURES) {
    await message.hover()
    await page.screenshot({ path: `${process.env.PICTURES}/playgrounds.png` })
  }
  await ada.ok('DELETE', `/realm/playgrounds/${second}`)
  await open('second').waitFor({ state: 'detached' })
  await open('first').waitFor()

  const small = await openWindow(browser, `${server.url}/#direct/${ada.id}`, ada, phone)
  await messageWith(small.page, 'print').getByRole('button', { name: 'Open in first' }).waitFor()
  if (process.env.PICTURES) await small.page.screenshot({ path: `${process.env.PICTURES}/playgrounds-phone.png` })
  t.equal(await small.page.evaluate(`document.documentElement.scrollWidth - innerWidth`), 0)
  t.same([...wrongs, ...small.wrongs], [])
})
