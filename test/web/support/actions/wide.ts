import type { Locator, Page } from 'playwright-core'
import { type Action, button, inRowMenu, isAt } from './action.js'

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
