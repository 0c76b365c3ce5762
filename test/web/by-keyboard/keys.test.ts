import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { type Action, button, composer, isAt, rowOf, testActions } from '../support/actions/action.js'
import { historyAtRest, messageWith, needsBrowser } from '../support/browser.js'
import { keyboard } from '../support/hands.js'
import { until } from '../support/reading.js'

const at = '#channel/ENGINE/notes'
const focused = (page: Page, target: Locator): Promise<void> => target.and(page.locator(':focus')).waitFor()

const views = { i: '#inbox', o: '#recent', a: '#all', m: '#mentions', s: '#starred' }
const dialogs = { c: 'New topic', x: 'New direct message', '?': 'Keyboard', 'ControlOrMeta+k': 'Go to' }

const keys: readonly Action[] = [
  {
    name: 'Escape leaves the text box, R returns, and a slash goes to the search',
    at,
    async act({ page }) {
      await focused(page, composer(page))
      await page.keyboard.press('Escape')
      await page.keyboard.press('r')
      await focused(page, composer(page))
      await page.keyboard.press('Escape')
      await page.keyboard.press('/')
      await focused(page, page.getByRole('combobox', { name: 'Search messages' }))
    },
  },
  {
    name: 'letters open views, dialogs and the list of people',
    at: '#inbox',
    async act({ page, hand }) {
      for (const [key, hash] of Object.entries(views)) {
        await page.keyboard.press(key)
        await isAt(page, hash)
      }
      for (const [key, name] of Object.entries(dialogs)) {
        await page.keyboard.press(key)
        await page.getByRole('dialog', { name, exact: true }).waitFor()
        await hand.leave()
        await page.locator('dialog[open]').waitFor({ state: 'detached' })
      }
      for (const state of ['visible', 'detached'] as const) {
        await page.keyboard.press('p')
        await page.getByRole('complementary', { name: 'People' }).waitFor({ state })
      }
    },
  },
  {
    name: 'the dialog that goes anywhere shows the key of each entry, acts on the message with the focus, and hides keys that are off',
    at,
    async act({ page, hand }) {
      const message = messageWith(page, 'the first one')
      await hand.goTo(message)
      await page.keyboard.press('ControlOrMeta+k')
      const dialog = page.getByRole('dialog', { name: 'Go to', exact: true })
      const option = (name: string) => dialog.getByRole('option', { name })
      for (const [name, key] of Object.entries({ Inbox: 'I', 'All messages': 'A', Starred: 'S', Keyboard: '?' }))
        t.equal(await option(name).locator('kbd').textContent(), key)
      await page.keyboard.type('star')
      await hand.use(dialog.getByRole('option', { name: /^Star message of Mary/ }))
      await message.locator('.starred').waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard' }).getByRole('checkbox').press('Space')
      await hand.leave()
      await page.keyboard.press('ControlOrMeta+k')
      await option('Inbox').waitFor()
      t.equal(await dialog.locator('kbd').count(), 1, 'only the example')
      await hand.leave()
    },
  },
  {
    name: 'the dialog that goes anywhere acts on the open view, and asks before what cannot be undone',
    at: '#channel/MILL/grinding',
    async act({ page, hand, say, ada }) {
      await say(ada, 'mill', 'grinding', 'the stones turn')
      await messageWith(page, 'the stones turn').waitFor()
      const choose = async (words: string, option: RegExp) => {
        await page.keyboard.press('ControlOrMeta+k')
        await hand.write(page.getByRole('combobox', { name: 'Channel, topic, person or command' }), words)
        await hand.use(page.getByRole('option', { name: option }))
      }
      await choose('mute', /^Mute topic/)
      await page.locator('.feed-title').getByTitle('Muted').waitFor()
      await choose('delete topic', /^Delete topic/)
      await hand.use(page.getByRole('option', { name: 'Really delete all messages' }))
      await messageWith(page, 'the stones turn').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'letters do nothing after they were switched off, also when the page is loaded again',
    at: '#inbox',
    async act({ page, hand }) {
      await page.keyboard.press('?')
      const box = page.getByRole('dialog', { name: 'Keyboard' }).getByLabel('Keys without Ctrl and Alt are shortcuts')
      await box.press('Space')
      await hand.leave()
      await historyAtRest(page)
      await page.reload()
      await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
      for (const key of ['a', '?']) await page.keyboard.press(key)
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('dialog', { name: 'Go to', exact: true }).waitFor()
      await isAt(page, '#inbox')
      t.equal(await page.getByRole('dialog').count(), 1)
    },
  },
  {
    name: 'keys go to the next channel and to what is unread',
    at: '#inbox',
    async act({ page, say, ada, mary, channels }) {
      const all = { anchor: 'newest', num_before: 99, num_after: 0, narrow: [], op: 'add', flag: 'read' }
      await ada.ok('POST', '/messages/flags/narrow', all)
      await page.keyboard.press('Alt+ArrowDown')
      await isAt(page, `#channel/${channels.engine}`)
      await page.keyboard.press('Alt+ArrowUp')
      await isAt(page, `#channel/${channels.mill}`)
      await page.keyboard.press('Escape')
      await say(mary, 'engine', 'news', 'something new')
      await rowOf(page, 'engine').locator('.count').waitFor()
      await page.keyboard.press('n')
      await isAt(page, `#channel/${channels.engine}/news`)
    },
  },
  {
    name: 'one key reads on through long conversations, says how much is left, and ends in the inbox',
    at: '#inbox',
    async act({ page, say, ada, mary, channels }) {
      const all = { anchor: 'newest', num_before: 99, num_after: 0, narrow: [], op: 'add', flag: 'read' }
      await ada.ok('POST', '/messages/flags/narrow', all)
      const pages = 4
      for (let n = 0; n < pages; n++)
        await say(mary, 'engine', 'a long story', `chapter ${n}\n\n${'rain\n\n'.repeat(11)}`)
      await say(mary, 'mill', 'a short one', 'the end')
      await page.locator('.inbox-row', { hasText: 'a short one' }).waitFor()
      const place = () => new URL(page.url()).hash
      await page.keyboard.press('n')
      const bar = page.getByRole('toolbar', { name: 'Reading what is unread' })
      await focused(page, button(bar, /^Next/))
      const left = async () => Number(/^\d+/.exec((await bar.getByRole('status').textContent()) ?? '')?.[0])
      const story = `#channel/${channels.engine}/a%20long%20story`
      const scroller = page.locator('.feed-scroll')
      let presses = 0
      for (; place() === story; presses++) {
        if (presses > 30) throw new Error('the key does not lead out of the conversation')
        const [top, before] = [await scroller.evaluate(one => one.scrollTop), await left()]
        await page.keyboard.press('n')
        await until(
          page,
          `location.hash !== ${JSON.stringify(story)} || document.querySelector('.feed-scroll')?.scrollTop !== ${top} ||
            Number.parseInt(document.querySelector('.read-through [role=status]')?.textContent ?? '') < ${before}`,
        )
      }
      t.ok(presses > 2, `${presses} screens`)
      await bar
        .getByText('1 message unread. This is the last conversation.')
        .or(bar.getByText('0 messages unread.'))
        .waitFor()
      await messageWith(page, 'the end').waitFor()
      await page.keyboard.press('n')
      await isAt(page, '#inbox')
      await page.getByText('You have read everything.').first().waitFor()
    },
  },
  {
    name: 'arrow up edits the last message, Enter saves it',
    at: '#channel/ENGINE/mine',
    async act({ page, hand, say, ada }) {
      await say(ada, 'engine', 'mine', 'a mistake')
      await messageWith(page, 'a mistake').waitFor()
      await hand.write(composer(page), '')
      await page.keyboard.press('ArrowUp')
      await focused(page, page.getByLabel('Edit message'))
      await page.keyboard.press('End')
      await page.keyboard.type(' mended')
      await page.keyboard.press('Enter')
      await messageWith(page, 'a mistake mended').waitFor()
    },
  },
  {
    name: 'keys format, and make a block of a pasted program',
    at: '#direct/MARY',
    async act({ page, hand }) {
      await hand.write(composer(page), 'let a = 1;\nlet b = 2;')
      for (const key of ['a', 'x', 'v']) await page.keyboard.press(`ControlOrMeta+${key}`)
      await hand.use(button(page, 'Make it a code block'))
      await composer(page).and(page.locator(':focus')).waitFor()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('word')
      await page.keyboard.press('ControlOrMeta+a')
      for (const key of ['b', 'i']) await page.keyboard.press(`ControlOrMeta+${key}`)
      await hand.send()
      await messageWith(page, 'word').locator('strong em, em strong').waitFor()
    },
  },
  {
    name: 'arrow keys go from message to message, and in the choice of emoji; the focus returns to its button',
    at,
    async act({ page, hand }) {
      const [first, second] = [messageWith(page, 'the first one'), messageWith(page, 'a word of mine')]
      await hand.goTo(second)
      await page.keyboard.press('ArrowUp')
      await focused(page, first)
      await page.keyboard.press('Shift+ArrowDown')
      await page.getByText('2 messages selected').waitFor()
      await page.keyboard.press('Escape')
      const opener = second.getByLabel('React with another emoji')
      await hand.use(opener)
      const picker = page.getByRole('dialog', { name: 'Emoji', exact: true })
      await picker.locator('.emoji-choice').first().waitFor()
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'Escape']) await page.keyboard.press(key)
      await focused(page, opener)
      await hand.use(opener)
      await picker.locator('.emoji-choice').first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await second.locator('.reaction').waitFor()
      await focused(page, opener)
    },
  },
]

t.test('keys of their own', needsBrowser, t => testActions(t, keyboard, keys))
