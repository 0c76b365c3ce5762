import { until } from '../../../support/redis-node.js'
import { messageWith } from '../browser.js'
import { type Action, button, inMenu, isAt, rowOf } from './action.js'

const listed = ['Inbox', 'Recent conversations', 'All messages', 'Mentions', 'Starred'] as const

/** Going to places: the list, the inbox, recent conversations, the dialog that goes anywhere, and the search. */
export const places: readonly Action[] = [
  {
    name: 'open a channel, and a topic from it',
    at: '',
    async act({ page, hand, channels }) {
      await hand.toList()
      await hand.use(rowOf(page, 'engine'))
      await isAt(page, `#channel/${channels.engine}`)
      await hand.use(button(page.locator('.place-bar').first(), 'notes'))
      await isAt(page, `#channel/${channels.engine}/notes`)
      await hand.use(button(page.locator('.feed-title'), 'engine'))
      await isAt(page, `#channel/${channels.engine}`)
    },
  },
  ...listed.map(
    (name): Action => ({
      name: `the list opens: ${name}`,
      at: '#channel/MILL',
      async act({ page, hand }) {
        await hand.toList()
        await hand.use(rowOf(page, name))
        await page.getByRole('main').getByRole('heading', { level: 1, name }).waitFor()
      },
    }),
  ),
  {
    name: 'open a conversation, and the profile beside it',
    at: '',
    async act({ page, hand, mary }) {
      await hand.toList()
      await hand.use(rowOf(page, 'Mary Somerville'))
      await isAt(page, `#direct/${mary.id}`)
      await hand.toList()
      await hand.use(button(page, 'About Mary Somerville'))
      await page.getByRole('dialog', { name: 'Mary Somerville' }).waitFor()
      await hand.leave()
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'inbox: open a conversation, a topic and a channel',
    at: '#inbox',
    async act({ page, hand, say, mary, ada, channels }) {
      await say(mary, 'engine', 'letters', 'dear Ada')
      await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'are you there?' })
      await hand.use(button(page.getByRole('main'), /^letters/))
      await messageWith(page, 'dear Ada').waitFor()
      await say(mary, 'engine', 'letters', 'yours, Mary')
      await page.goto(page.url().replace(/#.*/, '#inbox'))
      await hand.use(button(page.getByRole('main'), /^Mary Somerville/))
      await messageWith(page, 'are you there?').waitFor()
      await say(mary, 'engine', 'more letters', 'dear Ada')
      await page.goto(page.url().replace(/#.*/, '#inbox'))
      await hand.use(button(page.getByRole('heading', { level: 3 }), /engine$/))
      await isAt(page, `#channel/${channels.engine}`)
    },
  },
  {
    name: 'inbox: mark a topic, a channel and everything as read, and undo each',
    at: '#inbox',
    async act({ page, hand, say, mary }) {
      await say(mary, 'mill', 'flour', 'is white')
      const row = page.locator('.inbox-row', { hasText: 'flour' })
      for (const name of ['Mark flour as read', 'Mark mill as read', 'Mark all as read']) {
        await hand.use(button(page, name))
        await row.waitFor({ state: 'detached' })
        await hand.undo()
        await row.waitFor()
      }
    },
  },
  {
    name: 'inbox: read one conversation after the other, and leave one for later',
    at: '#mentions',
    async act({ page, hand, say, mary, ada, channels }) {
      const all = { anchor: 'newest', num_before: 99, num_after: 0, narrow: [], op: 'add', flag: 'read' }
      await ada.ok('POST', '/messages/flags/narrow', all)
      const later = await say(mary, 'engine', 'orders', 'four wheels')
      const read = await say(mary, 'mill', 'orders', 'two sacks')
      await page.goto(page.url().replace(/#.*/, '#inbox'))
      await page.locator('.inbox-row').nth(1).waitFor()
      await hand.use(button(page, 'Read one after the other'))
      await isAt(page, `#channel/${channels.engine}/orders`)
      const bar = page.getByRole('toolbar', { name: 'Reading what is unread' })
      await bar.getByText('1 more conversation.').waitFor()
      await messageWith(page, 'four wheels').waitFor()
      await hand.use(button(bar, /^Later/))
      await isAt(page, `#channel/${channels.mill}/orders`)
      await bar.getByText('This is the last conversation.').waitFor()
      await messageWith(page, 'two sacks').waitFor()
      await hand.use(button(bar, /^Next/))
      await isAt(page, '#inbox')
      await page.getByText('You have read everything but 1 conversation.').waitFor()
      await button(page.getByRole('main'), /four wheels/).waitFor()
      const isRead = async (id: number) => (await ada.ok('GET', `/messages/${id}`)).message.flags.includes('read')
      await until(async () => (await isRead(read)) && !(await isRead(later)))
    },
  },
  {
    name: 'recent conversations: open one',
    at: '#recent',
    async act({ page, hand }) {
      await hand.use(button(page.getByRole('main'), /water/))
      await messageWith(page, 'the wheel turns').waitFor()
    },
  },
  {
    name: 'recent conversations: show older ones',
    at: '',
    async act({ page, hand, say, ada }) {
      for (let day = 0; day < 200; day++) await say(ada, 'mill', 'days', `day ${day}`)
      await page.goto(page.url().replace(/(#.*)?$/, '#recent'))
      const main = page.getByRole('main')
      await button(main, /days/).waitFor()
      if ((await button(main, /notes/).count()) > 0) throw new Error('older conversations are there already')
      await hand.use(button(main, 'Show older ones'))
      await button(main, /notes/).waitFor()
    },
  },
  {
    name: 'show all channels in place of one that does not exist',
    at: '#channel/999999',
    async act({ page, hand }) {
      await hand.use(button(page, 'Show all channels'))
      await page.getByRole('dialog', { name: 'Channels' }).waitFor()
    },
  },
  {
    name: 'mark a topic and everything as read, by the menu of the view',
    at: '#channel/MILL/water',
    async act(scene) {
      const { page, say, mary } = scene
      await say(mary, 'mill', 'sacks', 'are full')
      await inMenu(scene, 'Mark topic as read')
      await page.getByText(/marked as read|Nothing is unread/).waitFor()
      await page.goto(page.url().replace(/#.*/, '#all'))
      await inMenu(scene, 'Mark everything as read')
      await page.getByText(/marked as read|Nothing is unread/).waitFor()
    },
  },
  {
    name: 'go to a topic, a person and a command by their names',
    at: '#channel/ENGINE',
    async act({ page, hand, channels, mary }) {
      const box = page.getByRole('combobox', { name: 'Channel, topic, person or command' })
      const go = async (words: string, option: RegExp, hash: string) => {
        await hand.jump()
        await hand.write(box, words)
        await hand.use(page.getByRole('option', { name: option }))
        await isAt(page, hash)
      }
      await go('notes', /notes/, `#channel/${channels.engine}/notes`)
      await go('mary', /Mary/, `#direct/${mary.id}`)
      await go('starred', /Starred/, '#starred')
    },
  },
  {
    name: 'choose colours and find a setting by the dialog that goes anywhere',
    at: '#channel/MILL',
    async act({ page, hand }) {
      const box = page.getByRole('combobox', { name: 'Channel, topic, person or command' })
      const choose = async (words: string, option: RegExp) => {
        await hand.jump()
        await hand.write(box, words)
        await hand.use(page.getByRole('option', { name: option }))
      }
      await choose('dark', /^Dark/)
      await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' })
      await choose('light', /^Light/)
      await page.locator('html[data-theme=light]').waitFor({ state: 'attached' })
      await choose('time zone', /^Time zone/)
      await page.locator('.settings-page').waitFor()
    },
  },
  {
    name: 'search with a suggestion, only here and everywhere; open a result',
    at: '#channel/MILL/water',
    async act({ page, hand, channels }) {
      const box = page.getByRole('combobox', { name: 'Search messages' })
      await hand.use(button(page, 'Search messages'))
      await hand.write(box, 'sender:mar')
      await hand.use(page.getByRole('option', { name: 'Mary Somerville' }))
      await hand.use(button(page, /Only in/))
      await button(page, 'Everywhere').waitFor()
      await page.keyboard.type('first')
      await page.keyboard.press('Enter')
      await page.locator('.content .highlight', { hasText: 'first' }).waitFor()
      await hand.open(messageWith(page, 'the first one'))
      await isAt(page, new RegExp(`^#channel/${channels.engine}/notes/near/`))
    },
  },
  {
    name: 'search elsewhere when nothing is found here',
    at: '#channel/MILL/water',
    async act({ page, hand }) {
      await hand.use(button(page, 'Search messages'))
      await hand.write(page.getByRole('combobox', { name: 'Search messages' }), 'shuttle')
      await page.keyboard.press('Enter')
      await hand.use(button(page, /^Remove in /))
      await hand.use(button(page, 'Search all public channels'))
      await page.locator('.content .highlight', { hasText: 'shuttle' }).waitFor()
    },
  },
  {
    name: 'go to the newest message',
    at: '',
    async act({ page, hand, say, mary, channels }) {
      const old = await say(mary, 'mill', 'days', 'day 0')
      for (let day = 1; day < 30; day++) await say(mary, 'mill', 'days', `day ${day}\n\nrain\n\nsun`)
      await page.goto(page.url().replace(/(#.*)?$/, `#channel/${channels.mill}/days/near/${old}`))
      await page.locator('.message.pointed').waitFor()
      await hand.toComposer()
      await hand.use(button(page, 'Newest'))
      await messageWith(page, 'day 29').waitFor()
    },
  },
  {
    name: 'begin a conversation with two people, one of them taken out again',
    at: '',
    async act({ page, hand, mary }) {
      await hand.toList()
      await hand.use(button(page, 'New direct message'))
      const dialog = page.getByRole('dialog', { name: 'New direct message' })
      for (const [words, name] of [
        ['grace', 'Grace Hopper'],
        ['mary', 'Mary Somerville'],
      ] as const) {
        await hand.write(dialog.getByLabel('Find people'), words)
        await hand.use(button(dialog.getByRole('listitem'), new RegExp(name)))
      }
      await hand.use(button(dialog, 'Remove Grace Hopper'))
      await hand.use(button(dialog, 'Write'))
      await isAt(page, `#direct/${mary.id}`)
    },
  },
]
