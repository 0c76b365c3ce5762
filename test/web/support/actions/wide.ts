import type { Locator, Page } from 'playwright-core'
import { messageWith } from '../browser.js'
import { type Action, button, inRowMenu, isAt, rowOf } from './action.js'

const topicRow = (page: Page, name: string): Locator => page.locator('.topics a.row', { hasText: name })

/** What a phone has no room for: there the menu of the view does it. */
export const wide: readonly Action[] = [
  {
    name: 'rename a topic by the pencil beside its name',
    at: '#channel/MILL/water',
    async act({ page, hand, channels }) {
      await hand.use(button(page, 'Rename topic'))
      await hand.write(page.getByLabel('Name of the topic'), 'rivers')
      await page.keyboard.press('Enter')
      await isAt(page, `#channel/${channels.mill}/rivers`)
    },
  },
  {
    name: 'open a topic from the list, and one of those that it shows later',
    at: '#channel/MILL',
    async act({ page, hand, say, ada, channels }) {
      // A topic with something unread stands in the list until it is read, and moves the button below it.
      const all = { anchor: 'newest', num_before: 99, num_after: 0, narrow: [], op: 'add', flag: 'read' }
      await ada.ok('POST', '/messages/flags/narrow', all)
      for (let sack = 0; sack < 9; sack++) await say(ada, 'mill', `sack ${sack}`, 'flour')
      await hand.use(topicRow(page, 'sack 8'))
      await isAt(page, `#channel/${channels.mill}/sack%208`)
      await hand.use(button(page.locator('.topics'), /^\d+ more$/))
      await hand.use(topicRow(page, 'sack 0'))
      await isAt(page, `#channel/${channels.mill}/sack%200`)
    },
  },
  {
    name: 'open a conversation beside another one, write in both, and close each',
    at: '#channel/MILL/water',
    async act(scene) {
      const { page, hand, channels } = scene
      const [main, beside] = [page.locator('main'), page.locator('.pane.beside')]
      await inRowMenu(scene, rowOf(page, 'engine'), 'Open beside')
      await isAt(page, `#channel/${channels.mill}/water&beside=channel/${channels.engine}`)
      await hand.write(beside.getByLabel('Topic', { exact: true }), 'wheels')
      for (const [pane, text] of [
        [beside, 'they turn'],
        [main, 'it flows'],
      ] as const) {
        await hand.write(pane.locator('.composer-text'), text)
        await hand.use(button(pane, 'Send'))
        await messageWith(page, text).waitFor()
      }
      await hand.use(button(main, 'Close this conversation'))
      await isAt(page, `#channel/${channels.engine}/wheels`)
      await inRowMenu(scene, rowOf(page, 'mill'), 'Open beside')
      await hand.use(button(beside, 'Close this conversation'))
      await isAt(page, `#channel/${channels.engine}/wheels`)
    },
  },
  {
    name: 'follow a topic, mute it and resolve it by the menu of its row in the list, and take each back',
    at: '#channel/MILL',
    async act(scene) {
      const { page, say, mary } = scene
      await say(mary, 'mill', 'stones', 'grind')
      const row = topicRow(page, 'stones')
      for (const entry of ['Follow topic', 'Unfollow topic']) await inRowMenu(scene, row, entry)
      await inRowMenu(scene, row, 'Mute topic')
      await row.and(page.locator('.muted')).waitFor()
      await inRowMenu(scene, row, 'Unmute topic')
      await row.and(page.locator(':not(.muted)')).waitFor()
      await inRowMenu(scene, row, 'Resolve topic')
      await row.getByText('✔ stones').waitFor()
      await inRowMenu(scene, row, 'Reopen topic')
      await row.getByText('stones', { exact: true }).waitFor()
    },
  },
]
