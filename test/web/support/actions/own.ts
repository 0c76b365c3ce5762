import sharp from 'sharp'
import { newSession, signIn } from '../browser.js'
import { until } from '../reading.js'
import { leaveSettings, openSection } from '../settings.js'
import { type Action, button, giveFile, inOwnMenu, isAt, password, type Scene } from './action.js'

const settings = async ({ page, hand }: Scene, section: string, about?: 'Organization') => {
  if ((await page.locator('.settings-page').count()) === 0) await hand.toList()
  return openSection(page, section, hand.use, about)
}
const leave = ({ page, hand }: Scene) => leaveSettings(page, hand.use)
const saved = ({ page }: Scene) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
const picture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#a52' } })
    .png()
    .toBuffer()
const themeIs = ({ page }: Scene, theme: string) => until(page, `document.documentElement.dataset.theme === '${theme}'`)

/** People, and what is the user's own: status, pictures, settings, signing out and in. */
export const own: readonly Action[] = [
  {
    name: 'show people, filter them, and write to one',
    at: '#channel/ENGINE/notes',
    async act({ page, hand, mary }) {
      await hand.use(button(page, 'People'))
      const people = page.locator('.people, .people-sheet')
      await hand.write(people.getByLabel('Filter people'), 'mary')
      await button(people, /Ada Lovelace/).waitFor({ state: 'detached' })
      await hand.use(button(people, /Mary Somerville/))
      await hand.use(button(page.getByRole('dialog', { name: 'Mary Somerville' }), 'Write'))
      await isAt(page, `#direct/${mary.id}`)
    },
  },
  {
    name: 'add people to the channel from the list of people',
    at: '#channel/ENGINE/notes',
    async act({ page, hand }) {
      await hand.use(button(page, 'People'))
      await hand.use(button(page, 'Add people …'))
      await page
        .getByRole('dialog', { name: '#engine' })
        .getByRole('tab', { name: 'Members', selected: true })
        .waitFor()
    },
  },
  {
    name: 'mute a person, and unmute in the settings',
    at: '#direct/MARY',
    async act(scene) {
      const { page, hand } = scene
      await hand.use(button(page.getByRole('heading', { level: 1 }), 'Mary Somerville'))
      await hand.use(button(page.getByRole('dialog', { name: 'Mary Somerville' }), 'Mute'))
      await hand.leave()
      const panel = await settings(scene, 'Muted people')
      await hand.use(button(panel, 'Unmute Mary Somerville'))
      await panel.getByText('You have muted no person').waitFor()
    },
  },
  {
    name: 'choose the colours in the menu',
    at: '',
    async act(scene) {
      await inOwnMenu(scene, 'Dark')
      await themeIs(scene, 'dark')
    },
  },
  {
    name: 'set a status with an emoji, and clear it',
    at: '',
    async act(scene) {
      const { page, hand } = scene
      const dialog = page.getByRole('dialog', { name: 'Your status' })
      await inOwnMenu(scene, 'Your status')
      await hand.write(dialog.getByLabel('Text'), 'on a train')
      await hand.use(button(dialog, 'Choose an emoji'))
      const picker = page.getByRole('dialog', { name: 'Emoji', exact: true })
      await hand.write(picker.getByLabel('Search emoji'), 'octopus')
      await hand.use(button(picker, 'octopus'))
      await hand.use(button(dialog, 'Save'))
      await dialog.waitFor({ state: 'detached' })
      await inOwnMenu(scene, 'Your status')
      await button(dialog, 'Emoji: octopus').waitFor()
      await hand.use(button(dialog, 'Clear'))
      await dialog.waitFor({ state: 'detached' })
    },
  },
  {
    name: 'change the own picture, and remove it',
    at: '',
    async act(scene) {
      const { page, hand } = scene
      const dialog = page.getByRole('dialog', { name: 'Your picture' })
      await inOwnMenu(scene, 'Your picture')
      await giveFile(scene, dialog.getByLabel('Another picture'), {
        name: 'face.png',
        mimeType: 'image/png',
        buffer: await picture(),
      })
      await hand.use(button(dialog, 'Use this part'))
      await dialog.locator('.avatar img').waitFor()
      await hand.use(button(dialog, 'Remove'))
      await dialog.locator('.avatar img').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'add a custom emoji, and remove it',
    at: '',
    async act(scene) {
      const { hand } = scene
      const dialog = await settings(scene, 'Custom emoji', 'Organization')
      await hand.write(dialog.getByLabel('Name'), 'party_lamb')
      await giveFile(scene, dialog.getByLabel('Picture'), {
        name: 'lamb.png',
        mimeType: 'image/png',
        buffer: await picture(),
      })
      await hand.use(button(dialog, 'Add emoji'))
      await dialog.getByText(':party_lamb:').waitFor()
      await hand.use(button(dialog, 'Remove party_lamb'))
      await dialog.getByText('There are none yet.').waitFor()
    },
  },
  {
    name: 'change the icon of the organization, and remove it',
    at: '',
    async act(scene) {
      const { hand } = scene
      const dialog = await settings(scene, 'Organization', 'Organization')
      await giveFile(scene, dialog.getByLabel('Icon', { exact: true }), {
        name: 'icon.png',
        mimeType: 'image/png',
        buffer: await picture(),
      })
      await hand.use(button(dialog, 'Use the whole picture'))
      await hand.use(button(dialog, 'Remove: Icon'))
      await button(dialog, 'Remove: Icon').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'settings: the time zone and the name',
    at: '',
    async act(scene) {
      const { page, hand, ada } = scene
      const panel = await settings(scene, 'Profile')
      await hand.write(panel.getByLabel('Time zone'), 'abidjan')
      await hand.use(panel.getByRole('option', { name: 'Abidjan' }))
      await saved(scene)
      await hand.write(panel.getByLabel('Name', { exact: true }), 'Ada King')
      await leave(scene)
      await hand.use(button(page, 'Your menu'))
      await page.locator('.menu-head', { hasText: 'Ada King' }).waitFor()
      await ada.ok('PATCH', '/settings', { full_name: 'Ada Lovelace' })
    },
  },
  {
    name: 'settings: values of the own profile',
    at: '',
    async act(scene) {
      const { page, hand, ada } = scene
      const make = (name: string, field_type: number, more: object = {}) =>
        ada.ok('POST', '/realm/profile_fields', { name, field_type, ...more })
      await make('Motto', 1)
      await make('Trade', 3, { field_data: { a: { text: 'Engines', order: '1' } } })
      await make('Mentor', 6)
      const panel = await settings(scene, 'Profile')
      await hand.write(panel.getByLabel('Mentor', { exact: true }), 'mary')
      await hand.use(button(panel, 'Mary Somerville'))
      // The line that says so moves the fields.
      await saved(scene)
      await hand.use(button(panel, 'Remove Mary Somerville'))
      await button(panel, 'Remove Mary Somerville').waitFor({ state: 'detached' })
      await hand.write(panel.getByLabel('Motto', { exact: true }), 'onwards')
      await hand.choose(panel.getByLabel('Trade', { exact: true }), 'Engines')
      await leave(scene)
      // Opened again, it shows what the server has.
      await settings(scene, 'Profile')
      await until(
        page,
        `['onwards', 'a'].every(value => [...document.querySelectorAll('.settings-form .input')].some(box => box.value === value))`,
      )
    },
  },
  {
    name: 'settings: another password, and the API key',
    at: '',
    async act(scene) {
      const { hand } = scene
      const panel = await settings(scene, 'Account')
      await hand.write(panel.getByLabel('Present password'), 'not mine')
      await hand.write(panel.getByLabel('New password'), `${password} at sea`)
      await hand.use(panel.getByLabel('Show the passwords'))
      await hand.use(button(panel, 'Change password'))
      await panel.getByText('This is not your password.').waitFor()
      await hand.write(panel.getByLabel('Your password, to show the key'), password)
      await hand.use(button(panel, 'Show the key'))
      await hand.use(button(panel, 'Copy'))
      await panel.getByText('The key is copied.').waitFor()
    },
  },
  {
    name: 'settings: appearance',
    at: '',
    async act(scene) {
      const { page, hand } = scene
      const panel = await settings(scene, 'Appearance')
      await hand.use(button(panel, 'Light'))
      await themeIs(scene, 'light')
      await hand.choose(panel.getByLabel('Times', { exact: true }), '13:30')
      await hand.choose(panel.getByLabel('First view'), 'Recent conversations')
      await hand.use(panel.getByLabel('Show who is writing'))
      await saved(scene)
      await hand.choose(panel.getByLabel('First view'), 'Inbox')
      await hand.choose(panel.getByLabel('Language'), 'Deutsch')
      await hand.choose(page.getByLabel('Sprache'), 'English')
      await panel.getByLabel('Language').waitFor()
    },
  },
  ...(
    [
      ['Notifications', 'All messages in channels'],
      ['Privacy', 'When you are active'],
    ] as const
  ).map(
    ([tab, name]): Action => ({
      name: `settings: ${tab}`,
      at: '',
      async act(scene) {
        const box = (await settings(scene, tab)).getByLabel(name, { exact: true })
        const before = await box.isChecked()
        await scene.hand.use(box)
        await saved(scene)
        if ((await box.isChecked()) === before) throw new Error(`${name} is as it was`)
      },
    }),
  ),
  {
    name: 'settings: add an alert word and remove it, and unmute a topic',
    at: '',
    async act(scene) {
      const { page, hand, ada, channels } = scene
      await ada.ok('POST', '/user_topics', { stream_id: channels.mill, topic: 'water', visibility_policy: 1 })
      const words = await settings(scene, 'Alert words')
      await hand.write(words.getByLabel('New alert word'), 'loom')
      await hand.use(button(words, 'Add'))
      await hand.use(button(words, 'Remove loom'))
      await words.getByText('Messages with one of these words').waitFor()
      await settings(scene, 'Muted topics')
      await hand.use(button(page, 'Unmute #mill › water'))
      await page.getByText('You have muted no topic').waitFor()
    },
  },
  {
    name: 'show the list of keys, and the status of the server',
    at: '',
    async act(scene) {
      const { page, hand } = scene
      await inOwnMenu(scene, 'Keyboard')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      await hand.leave()
      await hand.use(button(page, 'Your menu'))
      await hand.use(page.getByRole('link', { name: 'Server status' }))
      await page.getByText('All is well').waitFor()
      await hand.use(page.getByRole('link', { name: 'To the chat' }))
      await page.getByRole('navigation').waitFor()
    },
  },
  {
    name: 'sign out, and in again',
    at: '',
    async act(scene) {
      const { page, hand, ada } = scene
      await inOwnMenu(scene, 'Sign out')
      await hand.write(page.getByLabel('Email'), ada.email)
      await hand.write(page.getByLabel('Password'), password)
      await hand.use(button(page, 'Sign in'))
      await page.getByRole('navigation').waitFor()
    },
  },
  // The last two: they end what the other windows begin with.
  {
    name: 'settings: sign out of one browser, and everywhere else',
    at: '',
    async act(scene) {
      const { hand, ada, page } = scene
      await ada.ok('DELETE', '/users/me/sessions')
      await page.getByText('Your session has ended').waitFor()
      await signIn(page.context(), page.url(), ada)
      for (let others = 0; others < 3; others++) await newSession(page.url(), ada)
      await page.goto(new URL('/', page.url()).href)
      const panel = await settings(scene, 'Account')
      const listed = (count: number) => panel.locator('.account-sessions li').nth(count - 1)
      await listed(4).waitFor()
      await hand.use(button(panel, 'Sign out').first())
      await listed(4).waitFor({ state: 'detached' })
      await hand.use(button(panel, 'Sign out everywhere else'))
      await listed(2).waitFor({ state: 'detached' })
    },
  },
  {
    name: 'settings: another API key',
    at: '',
    async act(scene) {
      const { hand, ada } = scene
      const panel = await settings(scene, 'Account')
      await hand.write(panel.getByLabel('Your password, to show the key'), password)
      await hand.use(button(panel, 'Show the key'))
      await hand.use(button(panel, 'Replace'))
      await panel.getByText('You have a new key').waitFor()
      const { status } = await ada.get('/users/me')
      if (status !== 401) throw new Error(`the old key gets ${status}`)
    },
  },
]
