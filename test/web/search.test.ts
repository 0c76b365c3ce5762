import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone, textsOf } from './support/browser.js'

t.test('searching and going to places', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  const open = (name: string, who: number[]) =>
    bob.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: who,
      send_new_subscription_messages: false,
    })
  await open('engine room', [ada.id, bob.id])
  await open('far away', [bob.id])
  const idOf = async (stream: string) => (await bob.ok('GET', '/get_stream_id', { stream })).stream_id as number
  const [channel, far] = [await idOf('engine room'), await idOf('far away')]
  const send = async (who: typeof ada, content: string, to = channel, topic = 'notes') =>
    (await who.ok('POST', '/messages', { type: 'channel', to, topic, content, read_by_sender: true })).id as number
  const hers = await send(ada, 'the boiler hums')
  for (let n = 0; n < 40; n++) await send(bob, `line ${n}`)
  await send(bob, 'the boiler whistles <b onclick=window.hit=1>', channel, 'valves "and" <i>')
  await send(bob, 'a distant turbine', far)
  await ada.ok('POST', '/messages/flags/narrow', {
    anchor: 'newest',
    num_before: 99,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'read',
  })
  const browser = await launchBrowser(t)
  const hits = '.content .highlight'

  await t.test('operators are suggested, and chosen by keys; a result opens where it is', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#all`, ada)
    await page.locator('.message').first().waitFor()
    await page.locator('.feed-title').click()
    await page.keyboard.press('/')
    await page.keyboard.type('boiler ')
    await page.getByRole('option', { name: 'channel:' }).waitFor()
    await page.keyboard.type('se')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('m')
    await page.getByRole('option', { name: 'sender:me' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    t.equal(await page.getByLabel('Search messages').last().inputValue(), 'boiler sender:me ')
    await page.keyboard.press('Enter')
    await page.locator(hits, { hasText: 'boiler' }).waitFor()
    t.same(await textsOf(page), ['the boiler hums'])
    await messageWith(page, 'the boiler hums').focus()
    await page.keyboard.press('Enter')
    await page.locator(`.message.pointed[data-message-id="${hers}"]`).waitFor()
    t.match(new URL(page.url()).hash, `#channel/${channel}/notes/near/${hers}`)
    t.equal(await page.locator(hits).count(), 0, 'matches are marked in results only')
    await page.goBack()
    await page.locator(hits, { hasText: 'boiler' }).waitFor()
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a finger chooses them, and opens a result', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}`, ada, {
      ...phone,
      viewport: { width: 320, height: 640 },
    })
    await page.locator('.message').first().waitFor()
    await page.getByRole('button', { name: 'Search messages' }).tap()
    await page.getByRole('option', { name: 'sender:' }).tap()
    await page.getByRole('option', { name: 'Bob Kahn' }).tap()
    const box = page.getByRole('combobox', { name: 'Search messages' })
    t.equal(await box.inputValue(), 'sender:"Bob Kahn" ')
    t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'nothing is cut at 320 px')
    await page.getByRole('button', { name: 'Only in engine room' }).tap()
    await page.keyboard.type('boiler')
    await box.press('Enter')
    await page.locator(hits).waitFor()
    await messageWith(page, 'whistles').locator('.content').tap()
    await page.locator('.message.pointed', { hasText: 'whistles' }).waitFor()
    t.equal(await page.evaluate('window.hit'), undefined)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('what it cannot do it says, and where else it could look', async t => {
    const { page, wrongs } = await openWindow(
      browser,
      `${server.url}/#search/${encodeURIComponent('colour:red x')}`,
      ada,
    )
    await page.getByText('There is no operator colour').waitFor()
    for (const [words, sentence] of [
      ['is:blue', 'choose one of unread'],
      ['sender:Nobody', 'you know no person with this name'],
      ['date:soon', 'a date has to follow'],
      ['before:soon', 'a date has to follow'],
    ] as const) {
      await page.goto(`${server.url}/#search/${encodeURIComponent(words)}`)
      await page.getByText(sentence).waitFor()
    }
    await page.goto(`${server.url}/#search/${encodeURIComponent('turbine bfore:2020-01-01')}`)
    await page.getByText('There is no operator bfore').waitFor()
    await page.getByRole('button', { name: 'Search for “turbine before:2020-01-01”' }).click()
    await page.getByText('Nothing was found.').waitFor()
    await page.getByText('There is no operator').waitFor({ state: 'detached' })
    await page.goto(`${server.url}/#search/turbine/channel/${channel}`)
    await page.getByRole('button', { name: 'Remove in engine room' }).click()
    await page.getByRole('button', { name: 'Search all public channels' }).click()
    await page.locator(hits, { hasText: 'turbine' }).waitFor()
    await page.locator('.place-bar').getByText('notes').click()
    await page.locator('.message.pointed', { hasText: 'a distant turbine' }).waitFor()
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('results are counted, limited, ordered, and shown with what is around them', async t => {
    for (let n = 0; n < 70; n++) await send(bob, `a crane ${n}`)
    await send(ada, 'the crane lifts the beam', channel, 'the crane')
    await send(bob, 'a beam, and later on that day a crane')
    const { page, wrongs } = await openWindow(browser, `${server.url}/#all`, ada)
    const search = (words: string) => page.goto(`${server.url}/#search/${encodeURIComponent(words)}`)
    await search('crane sender:me channel:"engine room"')
    await page.getByText('1 message', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove sender:me' }).click()
    await page.getByText('72 messages', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove channel:"engine room"' }).click()
    await page.waitForURL(url => url.hash === '#search/crane')
    await search('crane beam')
    await page.getByText('2 messages', { exact: true }).waitFor()
    t.same(await textsOf(page), ['the crane lifts the beam', 'a beam, and later on that day a crane'])
    await search('crane')
    await messageWith(page, 'later on').waitFor()
    await page.getByRole('button', { name: 'Most relevant' }).click()
    await page.waitForURL(url => url.hash === '#relevant/crane')
    await page.getByText('72 messages', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Most relevant', pressed: true }).waitFor()
    await page.locator(hits, { hasText: 'crane' }).first().waitFor()
    t.equal((await textsOf(page))[0], 'the crane lifts the beam', 'the best result is at the top')
    const more = page.getByRole('button', { name: 'Messages around it' }).first()
    await more.click()
    await page.getByText('There are no others in this place.').waitFor()
    await page.getByRole('button', { name: 'Newest' }).click()
    await messageWith(page, 'later on').waitFor()
    await page.getByRole('button', { name: 'Messages around it' }).last().click()
    await page.locator('.neighbour', { hasText: 'a crane 69' }).waitFor()
    t.equal(await page.locator('.neighbour').count(), 3)
    await page.getByRole('button', { name: 'Hide the messages around it' }).click()
    await page.locator('.neighbour').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Messages around it' }).last().click()
    await page.locator('.neighbour', { hasText: 'a crane 68' }).getByRole('button', { name: 'Go there' }).click()
    await page.locator('.message.pointed', { hasText: 'a crane 68' }).waitFor()
    await search('cranne sender:bob')
    await page.getByText('you know no person').waitFor()
    await search('cranne sender:"Bob Kahn"')
    await page.getByRole('button', { name: 'Search for “sender:"Bob Kahn" crane”' }).click()
    await page.getByText('71 messages', { exact: true }).waitFor()
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('Ctrl and K go to channels, topics, people and commands', async t => {
    await bob.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'hello' })
    const { page, wrongs } = await openWindow(browser, `${server.url}/#all`, ada)
    await page.locator('.message').first().waitFor()
    const jump = async (words: string, option: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Go to' }).waitFor()
      await page.keyboard.type(words)
      await page.getByRole('option', { name: option }).first().waitFor()
      await page.keyboard.press('Enter')
    }
    await jump('', 'Bob Kahn')
    await messageWith(page, 'hello').waitFor()
    await jump('engine', 'engine room')
    await page.waitForURL(url => url.hash === `#channel/${channel}`)
    await jump('engine > val', 'valves')
    await messageWith(page, 'whistles').waitFor()
    await jump('bob', 'Bob Kahn')
    await page.waitForURL(url => url.hash === `#direct/${bob.id}`)
    await jump('keyb', 'Keyboard')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('no such thing')
    await page.getByText('Nothing has this name').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    t.match(new URL(page.url()).hash, `#direct/${bob.id}`)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a message is forwarded with its quote, by a finger', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#search/hums`, ada, phone)
    await page.locator(hits).waitFor()
    await messageWith(page, 'hums').focus()
    await messageWith(page, 'hums').getByLabel('More actions').tap()
    await page.getByRole('menuitem', { name: 'Forward' }).tap()
    await page.getByRole('combobox', { name: 'Channel, topic' }).fill('Bob')
    await page.getByRole('option', { name: 'Bob Kahn' }).tap()
    await page.waitForURL(url => url.hash === `#direct/${bob.id}`)
    await page.getByRole('button', { name: 'Send', exact: true }).tap()
    await messageWith(page, 'said').locator('blockquote', { hasText: 'the boiler hums' }).waitFor()
    t.same(wrongs, [])
  })
})
