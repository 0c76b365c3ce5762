import type { Locator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { hashPassword } from '../../../../server/auth/passwords.js'
import type { Sidebar } from '../../../../shared/resources/sidebar.js'
import { setOrganization } from '../../../support/organization.js'
import type { Person } from '../../../support/people.js'
import { until } from '../../../support/redis-node.js'
import { startServer } from '../../../support/server.js'
import { launchBrowser, messageWith, openWindow } from '../browser.js'
import type { Hand, Way } from '../hands.js'

/** The window of Ada, who is an administrator, and what her tests need beside it. */
export interface Scene {
  readonly page: Page
  readonly hand: Hand
  /** Of the server. */
  readonly url: string
  readonly ada: Person
  readonly mary: Person
  /** Ids by names. Ada is in `engine` and `mill`, Mary in all. */
  readonly channels: Readonly<Record<'engine' | 'mill' | 'looms', number>>
  say(who: Person, channel: 'engine' | 'mill' | 'looms', topic: string, content: string): Promise<number>
}

/** What a user can do, from the view at an address to a result that the page shows. */
export interface Action {
  readonly name: string
  /** The fragment of the address; ENGINE and MILL are ids of channels, MARY is that of Mary. */
  readonly at: string
  act(scene: Scene): Promise<unknown>
}

/** Waits until the server has the sidebar so: the page shows a change before, and the next action begins with what the server has. */
export async function keptSidebar({ ada }: Scene, isSo: (sidebar: Sidebar) => boolean): Promise<void> {
  await until(async () => isSo((await ada.ok('POST', '/register', { fetch_event_types: ['sidebar'] })).sidebar))
}

/** The password of Ada. */
export const password = 'seven tall wooden boats'

/** Tests that a user can do each action in one way. */
export async function testActions(t: Test, way: Way, actions: readonly Action[]): Promise<void> {
  const scene = await prepare(t)
  const browser = await launchBrowser(t)
  const ids = { ENGINE: scene.channels.engine, MILL: scene.channels.mill, MARY: scene.mary.id }
  const addressOf = ({ at }: Action) =>
    `${scene.url}/${Object.entries(ids).reduce((text, [name, id]) => text.replace(name, String(id)), at)}`
  const options = { ...way.options, permissions: ['clipboard-read', 'clipboard-write'] }
  for (const action of actions)
    await t.test(action.name, async t => {
      const { page, wrongs } = await openWindow(browser, addressOf(action), scene.ada, options)
      await page.locator('.corner[data-phase="live"]').waitFor({ state: 'attached' })
      await action.act({ ...scene, page, hand: way.handOn(page) })
      t.same(
        wrongs.filter(wrong => !wrong.startsWith('loaded again')),
        [],
      )
      await page.context().close()
    })
}

async function prepare(t: Test): Promise<Omit<Scene, 'page' | 'hand'>> {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace', role: 200 })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  await server.person({ full_name: 'Grace Hopper' })
  await server.sql`update users set password_hash = ${await hashPassword(password)} where id = ${ada.id}`
  await setOrganization(server.sql, { enable_read_receipts: true, message_edit_history_visibility_policy: 'all' })
  await server.ctx.directory.fresh()
  const open = async (name: string, principals: readonly Person[]) => {
    await mary.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description: `All about ${name}` }],
      principals: principals.map(({ id }) => id),
      send_new_subscription_messages: false,
    })
    return (await mary.ok('GET', '/get_stream_id', { stream: name })).stream_id as number
  }
  const channels = {
    engine: await open('engine', [ada, mary]),
    mill: await open('mill', [ada, mary]),
    looms: await open('looms', [mary]),
  }
  const say: Scene['say'] = async (who, channel, topic, content) =>
    (await who.ok('POST', '/messages', { type: 'channel', to: channels[channel], topic, content })).id
  await say(mary, 'engine', 'notes', 'the first one')
  await say(ada, 'engine', 'notes', 'a word of mine')
  await say(mary, 'mill', 'water', 'the wheel turns')
  await say(mary, 'looms', 'threads', 'a shuttle flies')
  await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'psst' })
  return { url: server.url, ada, mary, channels, say }
}

/** Waits until the address has this fragment. */
export const isAt = (page: Page, hash: string | RegExp): Promise<void> =>
  page.waitForURL(url => (typeof hash === 'string' ? url.hash === hash : hash.test(url.hash)))

/** A button of the page or of a part of it. */
export const button = (place: Page | Locator, name: string | RegExp): Locator =>
  place.getByRole('button', { name, exact: typeof name === 'string' })

export const composer = (page: Page): Locator => page.locator('.composer-text')

/** A row of the list of channels and views, which a phone shows instead of a view. */
export const rowOf = (page: Page, name: string): Locator =>
  page.locator('.sidebar a.row', { hasText: new RegExp(`(^|\\s)${name}(?![a-z])`) })

/** The row of a channel that is pinned. */
export const pinnedRow = (page: Page, name: string): Locator =>
  page.locator('[data-section=pinned] a.row', { hasText: name })

/** A section of the list. */
export const sectionOf = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true })

/** Uses an entry of the menu of the open view. */
export async function inMenu({ page, hand }: Scene, entry: string): Promise<void> {
  await hand.use(button(page, 'More'))
  await hand.use(button(page, entry))
}

/** Uses an entry of the user's own menu. */
export async function inOwnMenu({ page, hand }: Scene, entry: string): Promise<void> {
  await hand.toList()
  await hand.use(button(page, 'Your menu'))
  await hand.use(button(page, entry))
}

/** Uses a tool of a message. */
export async function useTool({ page, hand }: Scene, text: string, tool: string): Promise<void> {
  const message = messageWith(page, text)
  await hand.goTo(message)
  await hand.use(message.getByRole('toolbar', { name: 'Message' }).getByLabel(tool, { exact: true }))
}

/** Uses entries of the menu of a message, one after the other. */
export async function inMessageMenu({ page, hand }: Scene, text: string, ...entries: readonly string[]): Promise<void> {
  await hand.openMenu(messageWith(page, text))
  for (const name of entries) await hand.use(page.getByRole('menuitem', { name, exact: true }))
}

/** Uses an entry of the menu of a row of the list. */
export async function inRowMenu({ page, hand }: Pick<Scene, 'page' | 'hand'>, row: Locator, entry: string) {
  await hand.openMenu(row)
  await hand.use(page.getByRole('menuitem', { name: entry, exact: true }))
}

/** Answers the choice of files that the browser opens for a button. */
export async function giveFile(
  scene: Scene,
  target: Locator,
  { name, mimeType, buffer }: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
) {
  const chooser = scene.page.waitForEvent('filechooser')
  await scene.hand.use(target)
  await (await chooser).setFiles({ name, mimeType, buffer })
}
