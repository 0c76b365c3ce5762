import type { Browser } from 'playwright-core'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import type { Teardown } from '../../support/services.js'
import { launchBrowser, openWindow, type Window } from './browser.js'

interface TwoWindows {
  readonly server: Awaited<ReturnType<typeof startServer>>
  readonly browser: Browser
  /** The address of the topic that both read; it has one message, `the first one` of Ada. */
  readonly url: string
  readonly ada: Person
  readonly mary: Person
  readonly hers: Window
  readonly other: Window
}

/** Two people, each with a window that shows the same topic. */
export async function twoWindows(t: Teardown): Promise<TwoWindows> {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  const subscriptions = [{ name: 'engine' }]
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [ada.id, mary.id] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: 'the first one' })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channel}/notes`
  return {
    server,
    browser,
    url,
    ada,
    mary,
    hers: await openWindow(browser, url, ada),
    other: await openWindow(browser, url, mary),
  }
}
