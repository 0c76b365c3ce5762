import { sendFiles } from '../../../support/files.js'
import {
  type Action,
  button,
  inMenu,
  inRowMenu,
  isAt,
  keptSidebar,
  pinnedRow,
  rowOf,
  type Scene,
  sectionOf,
} from './action.js'

const channelDialog = async (scene: Scene, tab: string) => {
  const dialog = scene.page.getByRole('dialog', { name: '#mill' })
  await inMenu(scene, 'Channel settings')
  await scene.hand.use(dialog.getByRole('tab', { name: tab }))
  return dialog
}

/** Channels, their dialog, and topics as a whole. */
export const channels: readonly Action[] = [
  {
    name: 'join a channel, leave it and open it, from the list of all',
    at: '',
    async act({ page, hand, channels }) {
      await hand.toList()
      await hand.use(button(page, 'Browse channels'))
      const dialog = page.getByRole('dialog', { name: 'Channels' })
      await hand.write(dialog.getByLabel('Find a channel'), 'looms')
      await hand.use(button(dialog, 'Join'))
      await hand.use(button(dialog, 'Leave'))
      await button(dialog, 'Join').waitFor()
      await hand.use(button(dialog, /looms/))
      await isAt(page, `#channel/${channels.looms}`)
    },
  },
  {
    name: 'create a private channel, and archive it after a question',
    at: '',
    async act(scene) {
      const { page, hand } = scene
      await hand.toList()
      await hand.use(button(page, 'Browse channels'))
      await hand.use(button(page, 'Create'))
      const dialog = page.getByRole('dialog', { name: 'New channel' })
      await hand.write(dialog.getByLabel('Name'), 'cellar')
      await hand.write(dialog.getByLabel('What it is for'), 'Wine')
      await hand.use(dialog.getByLabel('Private: only who is in it sees it'))
      await hand.use(button(dialog, 'Create channel'))
      await page.locator('h1', { hasText: 'cellar' }).getByTitle('Private channel').waitFor()
      await inMenu(scene, 'Channel settings')
      const settings = page.getByRole('dialog', { name: '#cellar' })
      await hand.use(button(settings, 'Archive channel'))
      await hand.use(button(settings, /^Really archive/))
      await isAt(page, '#all')
    },
  },
  {
    name: 'unsubscribe, and subscribe again',
    at: '#channel/MILL',
    async act(scene) {
      await inMenu(scene, 'Unsubscribe')
      await rowOf(scene.page, 'mill').waitFor({ state: 'detached' })
      await inMenu(scene, 'Subscribe')
      await rowOf(scene.page, 'mill').waitFor({ state: 'attached' })
    },
  },
  {
    name: 'pin a channel and mute it, and take both back',
    at: '#channel/MILL',
    async act(scene) {
      const { page } = scene
      for (const [there, back, trace] of [
        ['Pin to the top', 'Unpin', pinnedRow(page, 'mill')],
        ['Mute channel', 'Unmute channel', rowOf(page, 'mill').getByTitle('Muted')],
        ['Mute channel', 'Unmute channel', page.locator('h1').getByTitle('Muted')],
      ] as const) {
        await inMenu(scene, there)
        await trace.waitFor({ state: 'attached' })
        await inMenu(scene, back)
        await trace.waitFor({ state: 'detached' })
      }
    },
  },
  {
    name: 'move a pinned channel up and down',
    at: '#channel/MILL',
    async act(scene) {
      const { page, ada, channels } = scene
      const pin = (value: boolean) =>
        ada.ok('POST', '/users/me/subscriptions/properties', {
          subscription_data: [channels.engine, channels.mill].map(stream_id => ({
            stream_id,
            property: 'pin_to_top',
            value,
          })),
        })
      const isAbove = (name: string) =>
        page.locator('[data-section=pinned] li:first-child > .row', { hasText: name }).waitFor({ state: 'attached' })
      await pin(true)
      for (const name of ['engine', 'mill']) await pinnedRow(page, name).waitFor({ state: 'attached' })
      await inMenu(scene, 'Move up')
      await isAbove('mill')
      await inMenu(scene, 'Move down')
      await isAbove('engine')
      await keptSidebar(scene, ({ pinned_channels: [first] }) => first === channels.engine)
      await pin(false)
    },
  },
  {
    name: 'pin channels, move one, mute it and begin a topic in it by the menus of their rows in the list',
    at: '#channel/ENGINE',
    async act(scene) {
      const { page, hand, channels } = scene
      const mill = rowOf(page, 'mill')
      const isFirst = (name: string) =>
        page.locator('[data-section=pinned] li:first-child > .row', { hasText: name }).waitFor()
      await hand.toList()
      for (const name of ['engine', 'mill']) {
        await inRowMenu(scene, rowOf(page, name), 'Pin to the top')
        await pinnedRow(page, name).waitFor()
      }
      await inRowMenu(scene, mill, 'Move up')
      await isFirst('mill')
      await inRowMenu(scene, mill, 'Move down')
      await isFirst('engine')
      await keptSidebar(scene, ({ pinned_channels: [first] }) => first === channels.engine)
      for (const name of ['engine', 'mill']) {
        await inRowMenu(scene, rowOf(page, name), 'Unpin')
        await pinnedRow(page, name).waitFor({ state: 'detached' })
      }
      await inRowMenu(scene, mill, 'Mute channel')
      await mill.getByTitle('Muted').waitFor()
      await inRowMenu(scene, mill, 'Unmute channel')
      await mill.getByTitle('Muted').waitFor({ state: 'detached' })
      await inRowMenu(scene, mill, 'New topic')
      const dialog = page.getByRole('dialog', { name: 'New topic' })
      await hand.write(dialog.getByLabel('Topic', { exact: true }), 'gears')
      await hand.use(button(dialog, 'Write the first message'))
      await isAt(page, `#channel/${channels.mill}/gears`)
    },
  },
  {
    name: 'collapse a section of the list, open it, move it and mark all of it as read',
    at: '#inbox',
    async act(scene) {
      const { page, hand, say, mary } = scene
      await say(mary, 'mill', 'water', 'more of it')
      await hand.toList()
      const heading = button(sectionOf(page, 'Channels'), 'Channels')
      await hand.use(heading)
      await rowOf(page, 'mill').waitFor({ state: 'detached' })
      await hand.use(heading)
      await rowOf(page, 'mill').waitFor()
      await keptSidebar(scene, ({ collapsed }) => collapsed.length === 0)
      const inSectionMenu = async (entry: string) => {
        await hand.use(button(page, 'Actions on Channels'))
        await hand.use(page.getByRole('menuitem', { name: entry, exact: true }))
      }
      await inSectionMenu('Move up')
      await page.getByText('Channels is now above Direct messages.').waitFor()
      await inSectionMenu('Move down')
      await page.getByText('Channels is now below Direct messages.').waitFor()
      await inSectionMenu('Mark all as read')
      await rowOf(page, 'mill').locator('.count').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'filter the list, and show only what is unread',
    at: '#inbox',
    async act(scene) {
      const { page, hand, say, mary, channels } = scene
      await say(mary, 'engine', 'notes', 'unread')
      await hand.toList()
      const filter = page.getByLabel('Filter channels and conversations')
      await hand.write(filter, 'mi')
      await rowOf(page, 'engine').waitFor({ state: 'detached' })
      await rowOf(page, 'mill').waitFor()
      await hand.write(filter, 'nothing like it')
      await page.getByText('Nothing in the list has this name.').waitFor()
      await hand.write(filter, '')
      await rowOf(page, 'engine').waitFor()
      await mary.ok('POST', '/mark_all_as_read')
      await scene.ada.ok('POST', '/mark_stream_as_read', { stream_id: channels.mill })
      await hand.use(button(page, 'Only what is unread'))
      await rowOf(page, 'mill').waitFor({ state: 'detached' })
      await rowOf(page, 'engine').waitFor()
      await hand.use(button(page, 'Only what is unread'))
      await rowOf(page, 'mill').waitFor()
      await keptSidebar(scene, ({ unread_only }) => !unread_only)
    },
  },
  {
    name: 'make a channel folder and rename it',
    at: '#inbox',
    async act(scene) {
      const { page, hand, ada, channels } = scene
      await hand.toList()
      await hand.use(button(page, 'Actions on Channels'))
      await hand.use(page.getByRole('menuitem', { name: 'New folder' }))
      const made = page.getByRole('dialog', { name: 'New folder' })
      await hand.write(made.getByLabel('Name'), 'Crafts')
      await hand.use(button(made, 'Create folder'))
      await page.getByText(/^The folder Crafts appears/).waitFor()
      const { channel_folders } = await ada.ok('GET', '/channel_folders')
      const { id } = channel_folders.find((one: { name: string }) => one.name === 'Crafts')
      await ada.ok('PATCH', `/streams/${channels.mill}`, { folder_id: id })
      await hand.use(button(page, 'Actions on Crafts'))
      await hand.use(page.getByRole('menuitem', { name: 'Edit folder' }))
      const dialog = page.getByRole('dialog', { name: 'Edit folder' })
      await hand.write(dialog.getByLabel('Name'), 'Handcrafts')
      await hand.use(button(dialog, 'Save'))
      await sectionOf(page, 'Handcrafts').waitFor()
      await ada.ok('PATCH', `/streams/${channels.mill}`, { folder_id: null })
    },
  },
  {
    name: 'change the name, the description, who sees it and the folder',
    at: '#channel/MILL',
    async act(scene) {
      const { page, hand, ada } = scene
      await ada.ok('POST', '/channel_folders/create', { name: 'Trades', description: '' })
      await channelDialog(scene, 'Settings')
      const panel = page.getByRole('tabpanel', { name: 'Settings' })
      await hand.write(panel.getByLabel('What it is for'), 'Grain')
      await hand.choose(panel.getByLabel('Who sees it'), 'Private: new members see earlier messages')
      await page.locator('.feed-subtitle', { hasText: 'Grain' }).waitFor({ state: 'attached' })
      await page.locator('h1 .channel-sign', { hasText: 'Private channel' }).waitFor({ state: 'attached' })
      await hand.choose(panel.getByLabel('Who sees it'), 'Public: all members can read and join it')
      await page.locator('h1 .channel-sign', { hasText: 'Public channel' }).waitFor({ state: 'attached' })
      await hand.choose(panel.getByLabel('Folder'), 'Trades')
      await page.locator('.section-toggle', { hasText: 'Trades' }).waitFor({ state: 'attached' })
      for (const name of ['watermill', 'mill']) {
        await hand.write(panel.getByLabel('Name'), name)
        await hand.use(page.getByRole('tab', { name: 'Settings' }))
        await page.getByRole('dialog', { name: `#${name}` }).waitFor()
      }
    },
  },
  {
    name: 'change permissions: another group, and a set of groups and people',
    at: '#channel/MILL',
    async act(scene) {
      const { hand } = scene
      const dialog = await channelDialog(scene, 'Permissions')
      await hand.choose(dialog.getByLabel('Begin topics', { exact: true }), 'Members')
      await dialog.getByText('Saved', { exact: true }).waitFor()
      await hand.use(button(dialog, 'Choose groups and people: Add members'))
      const editor = dialog.getByRole('group', { name: 'Add members' })
      await hand.write(editor.getByRole('combobox'), 'grace')
      await hand.use(editor.getByRole('option', { name: /Grace/ }))
      await hand.use(button(editor, 'Save'))
      await dialog.getByRole('list', { name: 'Add members' }).getByText('Grace Hopper').waitFor()
    },
  },
  {
    name: 'add a member, look at the profile, and remove the member',
    at: '#channel/MILL',
    async act(scene) {
      const { page, hand } = scene
      const dialog = await channelDialog(scene, 'Members')
      await hand.write(dialog.getByLabel(/^Find members/), 'grace')
      await hand.use(button(dialog, 'Add Grace Hopper'))
      await hand.use(button(dialog, 'Remove Grace Hopper'))
      await button(dialog, 'Add Grace Hopper').waitFor()
      await hand.use(button(dialog, 'Grace Hopper'))
      await page.getByRole('dialog', { name: 'Grace Hopper' }).waitFor()
    },
  },
  {
    name: 'find a topic among all and open it',
    at: '#channel/MILL',
    async act(scene) {
      const { page, hand, channels } = scene
      await inMenu(scene, 'All topics')
      const dialog = page.getByRole('dialog', { name: '#mill' })
      await hand.write(dialog.getByLabel('Find a topic'), 'wat')
      await hand.use(button(dialog, /^water/))
      await isAt(page, `#channel/${channels.mill}/water`)
    },
  },
  {
    name: 'find a file of the channel and go to its message',
    at: '#channel/MILL/water',
    async act(scene) {
      const { page, hand, ada, say } = scene
      const files = [{ name: 'wheel.txt', bytes: new Uint8Array(10), type: 'text/plain' }]
      const { body } = await sendFiles(scene.url, ada, '/user_uploads', { files })
      await say(ada, 'mill', 'water', `[wheel.txt](${body.url})`)
      await inMenu(scene, 'Files')
      const dialog = page.getByRole('dialog', { name: 'Files' })
      await hand.write(dialog.getByLabel('Find files by name'), 'wheel')
      await hand.use(button(dialog, 'Show the message of wheel.txt'))
      await page.locator('.message.pointed .file-card', { hasText: 'wheel.txt' }).waitFor()
    },
  },
  {
    name: 'follow a topic, mute it and resolve it, and take each back',
    at: '#channel/MILL/stones',
    async act(scene) {
      const { page, say, mary } = scene
      await say(mary, 'mill', 'stones', 'grind')
      for (const [there, back] of [
        ['Follow topic', 'Unfollow topic'],
        ['Mute topic', 'Unmute topic'],
      ] as const) {
        await inMenu(scene, there)
        await inMenu(scene, back)
      }
      await inMenu(scene, 'Resolve topic')
      await isAt(page, /%E2%9C%94%20stones$/)
      await inMenu(scene, 'Reopen topic')
      await isAt(page, /\/stones$/)
    },
  },
]
