import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { sectionOf } from './support/actions/action.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'

t.test('places, descriptions and the content of messages', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const description = 'For @**everyone** and [the plan](https://plan.example)'
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine', description }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const send = (topic: string, content: string) =>
    ada.ok('POST', '/messages', { type: 'channel', to: channel, topic, content })
  for (const topic of ['first', 'second']) for (let n = 0; n < 30; n++) await send(topic, `${topic} ${n}`)
  const browser = await launchBrowser(t)

  await t.test('the place of the messages at the top stays in sight', async t => {
    for (const options of [{}, phone]) {
      const { page, wrongs } = await openWindow(browser, `${server.url}/#all`, ada, options)
      await page.locator('.message').first().waitFor()
      await scrollTo(page, 1_000_000)
      await page.locator('.top-place', { hasText: 'second' }).waitFor()
      await scrollTo(page, 300)
      await page.locator('.top-place', { hasText: 'first' }).waitFor()
      await page.locator('.top-place').getByText('first').click()
      await page.waitForURL(/first/)
      await page.locator('.top-place').waitFor({ state: 'detached' })
      t.same(wrongs, [])
    }
  })

  await t.test('the list of channels is grouped by folder', async t => {
    const admin = await server.person({ role: 200 })
    const { page, wrongs } = await openWindow(browser, `${server.url}/#all`, ada)
    const rowIn = (section: string) => sectionOf(page, section).getByRole('link', { name: 'engine' })
    await rowIn('Channels').waitFor()
    const name = '<b>Teams</b>'
    const { channel_folder_id } = await admin.ok('POST', '/channel_folders/create', { name, description: '' })
    await admin.ok('PATCH', `/streams/${channel}`, { folder_id: channel_folder_id })
    await rowIn(name).waitFor()
    await admin.ok('PATCH', `/channel_folders/${channel_folder_id}`, { name: 'Projects' })
    await rowIn('Projects').waitFor()
    await admin.ok('PATCH', `/streams/${channel}`, { folder_id: null })
    await rowIn('Channels').waitFor()
    t.equal(await sectionOf(page, 'Projects').count(), 0, 'no section without channels')
    t.same(wrongs, [])
  })

  await t.test('an unknown channel is named as one', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/999999/x`, ada)
    await page.getByText('This channel does not exist').waitFor()
    t.equal(await page.locator('textarea').count(), 0, 'no message can be written to it')
    await page.getByText('Show all channels').click()
    await page.getByRole('dialog', { name: 'Channels' }).getByText('For @everyone and the plan').waitFor()
    t.same(wrongs, [])
  })

  await t.test('a description shows its mentions and links', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}`, ada)
    const subtitle = page.locator('.feed-subtitle')
    await subtitle.getByText('For @everyone and the plan').waitFor()
    t.equal(await subtitle.getByRole('link', { name: 'the plan' }).getAttribute('href'), 'https://plan.example')
    t.same(wrongs, [])
  })

  await t.test('a spoiler opens by keyboard, and a time is on one line', async t => {
    await send(
      'content',
      `${'word '.repeat(13)} <time:2030-01-31T12:00:00Z>\n\`\`\`spoiler The end\nThey marry.\n\`\`\``,
    )
    await send('content', `| a | b |\n|---|--:|\n| ${'wide '.repeat(60)} | x |`)
    for (const options of [{}, phone]) {
      const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}/content`, ada, options)
      const message = messageWith(page, 'The end')
      t.equal(await message.getByText('They marry.').isVisible(), false)
      await message.locator('summary').focus()
      await page.keyboard.press('Enter')
      await message.getByText('They marry.').waitFor()
      t.equal(await page.evaluate(`document.querySelector('.content time').getClientRects().length`), 1)
      const wide = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.feed-scroll'))`
      t.equal(await page.evaluate(`document.querySelector('th:last-child').style.textAlign`), 'right')
      t.equal(await page.evaluate(wide), 0, 'a wide table scrolls inside its message')
      t.same(wrongs, [])
    }
  })
})

const scrollTo = (page: Page, top: number): Promise<void> =>
  page.evaluate(`document.querySelector('.feed-scroll').scrollTop = ${top}`)
