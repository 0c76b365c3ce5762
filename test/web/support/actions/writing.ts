import { messageWith } from '../browser.js'
import { until } from '../reading.js'
import { type Action, button, composer, giveFile, inOwnMenu, isAt, type Scene } from './action.js'

const at = '#channel/ENGINE/writing'
const holds = ({ page }: Scene, text: string) =>
  until(page, `document.querySelector('.composer-text')?.value.includes(${JSON.stringify(text)})`)

const marks = {
  Bold: '****',
  Italic: '**',
  Strikethrough: '~~~~',
  Link: '](',
  Code: '``',
  Quote: '> ',
  List: '- ',
  'Numbered list': '1. ',
}

/** Writing messages. */
export const writing: readonly Action[] = [
  {
    name: 'send a message of two lines',
    at,
    async act({ page, hand }) {
      await hand.write(composer(page), 'one line\nand another')
      await hand.send()
      await messageWith(page, 'one line').locator('br').waitFor({ state: 'attached' })
    },
  },
  {
    name: 'begin a topic in the composer of a channel, and by the menu',
    at: '#channel/ENGINE',
    async act(scene) {
      const { page, hand, channels } = scene
      await hand.write(page.getByLabel('Topic', { exact: true }), 'fresh')
      await hand.write(composer(page), 'a beginning')
      await hand.send()
      await isAt(page, `#channel/${channels.engine}/fresh`)
      await messageWith(page, 'a beginning').waitFor()
      await page.goto(page.url().replace(/#.*/, '#all'))
      await hand.use(button(page, 'New topic').last())
      const dialog = page.getByRole('dialog', { name: 'New topic' })
      await hand.choose(dialog.getByLabel('Channel'), 'mill')
      await hand.write(dialog.getByLabel('Topic', { exact: true }), 'fresher')
      await hand.use(button(dialog, 'Write the first message'))
      await isAt(page, `#channel/${channels.mill}/fresher`)
    },
  },
  {
    name: 'use each format',
    at: '#direct/MARY',
    async act(scene) {
      const { page, hand } = scene
      // A phone shows them after a tap.
      const more = button(page, 'Formatting')
      if (await more.isVisible()) await hand.use(more)
      for (const [format, mark] of Object.entries(marks)) {
        await hand.use(button(page.getByRole('toolbar', { name: 'Formatting' }), format))
        await holds(scene, mark)
        await hand.write(composer(page), '')
      }
    },
  },
  {
    name: 'attach a file, and stop the upload of one',
    at,
    async act(scene) {
      const { page, hand } = scene
      const give = (name: string) =>
        giveFile(scene, button(page, 'Attach files'), {
          name,
          mimeType: 'text/plain',
          buffer: Buffer.from('some text'),
        })
      await give('notes.txt')
      await page.locator('.attached-file:not(.upload)', { hasText: 'notes.txt' }).waitFor()
      await hand.send()
      await messageWith(page, 'notes.txt').waitFor()
      let release = () => {}
      const held = new Promise<void>(resolve => {
        release = resolve
      })
      await page.route('**/json/user_uploads', async route => {
        await held
        await route.continue().catch(() => {})
      })
      await give('slow.txt')
      await hand.use(button(page, 'Cancel the upload of slow.txt'))
      await page.locator('.upload').waitFor({ state: 'detached' })
      release()
    },
  },
  {
    name: 'choose an emoji, and a person to mention',
    at,
    async act(scene) {
      const { page, hand } = scene
      await hand.use(button(page.locator('.composer'), 'Emoji'))
      const picker = page.getByRole('dialog', { name: 'Emoji', exact: true })
      await hand.write(picker.getByLabel('Search emoji'), 'octopus')
      await hand.use(button(picker, 'octopus'))
      await holds(scene, ':octopus: ')
      await hand.use(button(page, 'Mention'))
      await page.keyboard.type('Mary')
      await hand.use(page.getByRole('option', { name: /Mary Somerville/ }))
      await holds(scene, '@**Mary Somerville')
      await hand.send()
      await messageWith(page, '@Mary Somerville').locator('.content .emoji').waitFor()
    },
  },
  {
    name: 'make a poll and a to-do list',
    at,
    async act({ page, hand }) {
      await hand.write(composer(page), '/poll Lunch?\nsoup\nbread')
      await hand.send()
      await button(page.getByRole('region', { name: 'Poll: Lunch?' }), 'bread, 0 votes').waitFor()
      await hand.write(composer(page), '/todo Kitchen\nwash: all plates')
      await hand.send()
      await page.getByRole('region', { name: 'To-do list: Kitchen' }).getByLabel('wash').waitFor()
    },
  },
  {
    name: 'look at a preview, and go on writing',
    at,
    async act(scene) {
      const { page, hand } = scene
      const preview = button(page.locator('.composer'), 'Preview')
      await hand.write(composer(page), 'some **strong** words')
      await hand.use(preview)
      await page.locator('.preview strong').waitFor()
      await hand.use(preview)
      await hand.write(composer(page), 'other words')
      await hand.send()
      await messageWith(page, 'other words').waitFor()
    },
  },
  {
    name: 'save a snippet, change it, put it in and delete it',
    at,
    async act(scene) {
      const { page, hand } = scene
      const dialog = page.getByRole('dialog', { name: 'Snippets' })
      await hand.use(button(page, 'Snippets'))
      await hand.use(button(dialog, 'New snippet'))
      await hand.write(dialog.getByLabel('Title'), 'end')
      await hand.write(dialog.getByLabel('Text'), 'regards')
      await hand.use(button(dialog, 'Save'))
      await hand.use(button(dialog, 'Change end'))
      await hand.write(dialog.getByLabel('Text'), 'kind regards')
      await hand.use(button(dialog, 'Save'))
      await hand.use(button(dialog, /^end/))
      await holds(scene, 'kind regards')
      await hand.use(button(page, 'Snippets'))
      await hand.use(button(dialog, 'Delete end'))
      await dialog.getByText('No snippet yet').waitFor()
    },
  },
  {
    name: 'send a message later, and delete it from the list',
    at,
    async act({ page, hand }) {
      const dialog = page.getByRole('dialog', { name: 'Send later' })
      await hand.write(composer(page), 'not yet')
      await hand.use(button(page, 'Send later'))
      await hand.use(button(dialog, /^In an hour/))
      await hand.toList()
      await hand.use(page.getByRole('link', { name: /^Scheduled/ }))
      await hand.use(button(page, /^Edit the message to/))
      const edit = page.getByRole('dialog', { name: 'Edit the scheduled message' })
      await hand.write(edit.getByLabel('Message', { exact: true }), 'not yet, or never')
      await hand.use(button(edit, 'Save'))
      await page.locator('.scheduled', { hasText: 'not yet, or never' }).waitFor()
      await hand.use(button(page, /^Delete the message to/))
      await hand.use(button(page, 'Really delete?'))
      await page.getByText('are listed here').waitFor()
    },
  },
  {
    name: 'leave a draft, open it from the list, and delete it',
    at: '#channel/MILL/water',
    async act(scene) {
      const { page, hand, channels } = scene
      const dialog = page.getByRole('dialog', { name: 'Drafts' })
      await hand.write(composer(page), 'half a thought')
      await inOwnMenu(scene, 'Drafts')
      await hand.use(button(dialog, /^Open the draft for #mill/))
      await isAt(page, `#channel/${channels.mill}/water`)
      await holds(scene, 'half a thought')
      await inOwnMenu(scene, 'Drafts')
      await hand.use(button(dialog, /^Delete the draft for #mill/))
      await dialog.getByText('What you write and do not send is kept here.').waitFor()
    },
  },
  {
    name: 'try a refused message again, and discard it',
    at: '#direct/MARY',
    async act({ page, hand, ada }) {
      const { realm_direct_message_permission_group: before } = await ada.ok('POST', '/register', {
        fetch_event_types: ['realm'],
      })
      await ada.ok('PATCH', '/realm', { direct_message_permission_group: { new: {} } })
      const refused = page.locator('.unsent[data-status="refused"]')
      await hand.write(composer(page), 'not allowed')
      await hand.send()
      await hand.use(button(refused, 'Try again'))
      await hand.use(button(refused, 'Discard'))
      await refused.waitFor({ state: 'detached' })
      await ada.ok('PATCH', '/realm', { direct_message_permission_group: { new: before } })
    },
  },
]
