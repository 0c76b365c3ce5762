import sharp from 'sharp'
import { upload } from '../../../support/files.js'
import { messageWith } from '../browser.js'
import { until } from '../reading.js'
import { type Action, button, inMenu, inMessageMenu, isAt, useTool } from './action.js'

const at = '#channel/ENGINE/notes'

/** What one does with messages. */
export const messages: readonly Action[] = [
  {
    name: 'reply with a quote',
    at: '#channel/MILL/water',
    async act(scene) {
      const { page, hand } = scene
      await useTool(scene, 'the wheel turns', 'Reply with quote')
      await until(page, `document.activeElement.value?.includes('the wheel turns')`)
      await page.keyboard.type('I agree')
      await hand.send()
      await messageWith(page, 'I agree').locator('blockquote', { hasText: 'the wheel turns' }).waitFor()
    },
  },
  {
    name: 'react, with an emoji of the choice, too, and take a reaction back',
    at,
    async act(scene) {
      const { page, hand } = scene
      const reaction = (sign: string) => messageWith(page, 'the first one').locator('.reaction', { hasText: sign })
      await useTool(scene, 'the first one', 'React with thumbs up')
      await reaction('👍').waitFor()
      await useTool(scene, 'the first one', 'React with another emoji')
      const picker = page.getByRole('dialog', { name: 'Emoji', exact: true })
      await hand.write(picker.getByLabel('Search emoji'), 'octopus')
      await hand.use(button(picker, 'octopus'))
      await reaction('🐙').waitFor()
      await hand.use(reaction('👍'))
      await reaction('👍').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'be reminded of it',
    at,
    async act(scene) {
      const { page, hand } = scene
      const dialog = page.getByRole('dialog', { name: 'Remind me' })
      await inMessageMenu(scene, 'the first one', 'Remind me')
      await hand.write(dialog.getByLabel('Note'), 'bring the keys')
      await hand.use(button(dialog, /^Tomorrow morning/))
      await hand.toList()
      await hand.use(page.getByRole('link', { name: /^Scheduled/ }))
      await hand.use(button(page, 'Delete the reminder'))
      await hand.use(button(page, 'Really delete?'))
      await page.getByText('are listed here').waitFor()
    },
  },
  {
    name: 'star it, and remove the star',
    at,
    async act(scene) {
      const star = messageWith(scene.page, 'the first one').locator('.starred')
      await useTool(scene, 'the first one', 'Star')
      await star.waitFor()
      await useTool(scene, 'the first one', 'Remove star')
      await star.waitFor({ state: 'detached' })
    },
  },
  {
    name: 'edit it with a preview, read the changes, and its readers',
    at,
    async act(scene) {
      const { page, hand, say, ada } = scene
      await say(ada, 'engine', 'notes', 'lunch at twelve')
      await useTool(scene, 'lunch at twelve', 'Edit')
      const box = page.locator('.edit-box')
      await hand.write(box.getByLabel('Edit message'), 'lunch at *noon*')
      await hand.use(button(box, 'Preview'))
      await box.locator('.preview em').waitFor()
      await hand.use(button(box, 'Save'))
      await hand.use(button(messageWith(page, 'lunch at noon'), 'edited'))
      const about = page.getByRole('dialog', { name: 'About this message' })
      await about.locator('.highlight_text_deleted').waitFor()
      await hand.leave()
      await inMessageMenu(scene, 'lunch at noon', 'Readers and changes')
      await about.getByText('No other person yet.').waitFor()
    },
  },
  {
    name: 'cancel an edit',
    at,
    async act(scene) {
      const { page, hand } = scene
      await useTool(scene, 'a word of mine', 'Edit')
      const box = page.locator('.edit-box')
      await hand.write(box.getByLabel('Edit message'), 'another word')
      await hand.use(button(box, 'Cancel'))
      await hand.use(button(box, 'Discard the change'))
      await box.waitFor({ state: 'detached' })
      await messageWith(page, 'a word of mine').waitFor()
    },
  },
  {
    name: 'copy its link and its text',
    at,
    async act(scene) {
      await inMessageMenu(scene, 'a word of mine', 'Copy link')
      await scene.page.getByText('The link is copied.').waitFor()
      await inMessageMenu(scene, 'a word of mine', 'Copy text')
      await scene.page.getByText('The text is copied.').waitFor()
    },
  },
  {
    name: 'forward it',
    at,
    async act(scene) {
      const { page, hand, mary } = scene
      await inMessageMenu(scene, 'a word of mine', 'Forward')
      await hand.write(page.getByRole('combobox', { name: /^Channel, topic/ }), 'mary')
      await hand.use(page.getByRole('option', { name: /Mary/ }))
      await isAt(page, `#direct/${mary.id}`)
      await until(page, `document.activeElement.value?.includes('a word of mine')`)
      await hand.send()
      await messageWith(page, 'a word of mine').locator('blockquote').waitFor()
    },
  },
  {
    name: 'mark it as unread, alone and with later ones, and as read again',
    at,
    async act(scene) {
      const { page, hand } = scene
      const note = page.getByText('Messages stay unread')
      for (const entry of ['Mark as unread', 'Mark unread from here']) {
        await inMessageMenu(scene, 'the first one', entry)
        await note.waitFor()
        await hand.use(button(page, 'Mark as read again'))
        await note.waitFor({ state: 'detached' })
      }
    },
  },
  {
    name: 'select several, copy and forward them, and select none',
    at,
    async act(scene) {
      const { page, hand } = scene
      const bar = page.getByRole('toolbar', { name: 'Selected messages' })
      const two = () => hand.selectTwo(messageWith(page, 'the first one'), messageWith(page, 'a word of mine'))
      await two()
      await bar.getByText('2 messages selected').waitFor()
      await hand.use(button(bar, 'Forward'))
      await page.getByRole('dialog', { name: 'Forward to' }).waitFor()
      await hand.leave()
      await hand.use(button(bar, 'Copy text'))
      await page.getByText('The text is copied.').waitFor()
      await two()
      await hand.use(button(bar, 'Select nothing'))
      await bar.waitFor({ state: 'detached' })
    },
  },
  {
    name: 'delete it, after a question',
    at,
    async act(scene) {
      await scene.say(scene.ada, 'engine', 'notes', 'a slip of the pen')
      await inMessageMenu(scene, 'a slip of the pen', 'Delete', 'Really delete')
      await messageWith(scene.page, 'a slip of the pen').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'move messages to another topic, and a topic to another channel',
    at: '#channel/ENGINE/plans',
    async act(scene) {
      const { page, hand, say, ada, channels } = scene
      await say(ada, 'engine', 'plans', 'for spring')
      await say(ada, 'engine', 'plans', 'for summer')
      await useTool(scene, 'for summer', 'Move')
      const some = page.getByRole('dialog', { name: 'Move messages' })
      await hand.choose(some.getByLabel('What to move'), 'This message and later ones of the topic')
      await hand.write(some.getByLabel('To the topic'), 'later plans')
      await hand.use(some.getByLabel('in the new place'))
      await hand.use(button(some, 'Move'))
      await isAt(page, `#channel/${channels.engine}/later%20plans`)
      await messageWith(page, 'for summer').waitFor()
      await inMenu(scene, 'Move topic …')
      const all = page.getByRole('dialog', { name: 'Move topic' })
      await hand.choose(all.getByLabel('To the channel'), 'mill')
      await hand.use(button(all, 'Move'))
      await isAt(page, `#channel/${channels.mill}/later%20plans`)
    },
  },
  {
    name: 'follow a link, open a spoiler, the profile of the sender, and show the message of a muted person',
    at: '#channel/ENGINE/riddles',
    async act({ page, hand, say, ada, mary, channels, url }) {
      const first = (await mary.ok('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 1 })).messages[0]
        .id
      const link = `${url}/#narrow/channel/${channels.engine}-engine/topic/notes/near/${first}`
      await say(mary, 'engine', 'riddles', `\`\`\`spoiler The end\nThey agree.\n\`\`\`\n\n[begin](${link})`)
      const riddle = messageWith(page, 'The end')
      await hand.use(button(riddle, 'Mary Somerville'))
      const card = page.getByRole('dialog', { name: 'Mary Somerville' })
      await hand.use(button(card, 'Mute'))
      await button(card, 'Unmute').waitFor()
      await hand.leave()
      await hand.use(button(page, 'Show'))
      await hand.use(riddle.locator('summary'))
      await riddle.getByText('They agree.').waitFor()
      await hand.use(riddle.getByRole('link', { name: 'begin' }))
      await isAt(page, `#channel/${channels.engine}/notes/near/${first}`)
      await ada.ok('DELETE', `/users/me/muted_users/${mary.id}`)
    },
  },
  {
    name: 'show a picture in full size, and the next one',
    at: '#channel/ENGINE/pictures',
    async act({ page, hand, url, say, ada }) {
      const bytes = new Uint8Array(
        await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a52' } })
          .png()
          .toBuffer(),
      )
      const give = (name: string) => upload(url, ada, { name, bytes, type: 'image/png' })
      await say(ada, 'engine', 'pictures', `[map.png](${await give('map.png')}) [plan.png](${await give('plan.png')})`)
      // A thumbnail takes the place of its placeholder, and of the focus there.
      await page.locator('a.picture img:not(.image-loading-placeholder)').nth(1).waitFor()
      await hand.use(page.locator('a.picture').first())
      await hand.use(button(page, 'Next picture'))
      await page.getByText('2 of 2').waitFor()
      await hand.use(button(page, 'Picture before'))
      const download = page.waitForEvent('download')
      await hand.use(page.getByRole('link', { name: 'Download' }))
      await download
      await hand.leave()
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'vote in a poll and add to it; tick a task off and add one',
    at: '#channel/ENGINE/votes',
    async act({ page, hand, say, mary }) {
      await say(mary, 'engine', 'votes', '/poll Tea?\ngreen\nblack')
      await say(mary, 'engine', 'votes', '/todo Chores\nwash: the car')
      const [poll, tasks] = [
        page.getByRole('region', { name: 'Poll: Tea?' }),
        page.getByRole('region', { name: /^To-do/ }),
      ]
      await hand.use(button(poll, 'black, 0 votes'))
      await button(poll, 'black, 1 vote').waitFor()
      await hand.write(poll.getByLabel('New option'), 'none')
      await hand.use(button(poll, 'Add'))
      await button(poll, 'none, 0 votes').waitFor()
      await hand.use(tasks.getByLabel('wash'))
      await tasks.getByLabel('wash').and(page.locator(':checked')).waitFor()
      await hand.write(tasks.getByLabel('New task'), 'dry')
      await hand.use(button(tasks, 'Add'))
      await tasks.getByLabel('dry', { exact: true }).waitFor()
    },
  },
]
