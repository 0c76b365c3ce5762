import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Test } from 'tap'
import { sendFiles } from '../../support/files.js'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { type Themes, violationsOf } from './accessibility.js'
import { historyAtRest, launchBrowser, messageWith, openWindow, type Window } from './browser.js'
import { atRest } from './reading.js'
import { workingTeam } from './scene.js'

interface View {
  readonly name: string
  /** The fragment of the address, or the path of another page. The list is the start on a phone, all messages elsewhere. */
  readonly at?: string
  /** What has to be in sight when the view is open. */
  readonly shows: string
  /** Opens the view from the address. */
  open?(page: Page): Promise<unknown>
  readonly isSignedOut?: true
  /** Its window is not for other views: it is another page, or `open` changes what others show. */
  readonly isAlone?: true
  /** A phone has no room for it. */
  readonly isWide?: true
}

const topic = '#channel/CHANNEL/queue%20latency'
const entry = (name: string) => async (page: Page) => {
  await page.getByLabel('Your menu').click()
  await page.getByRole('button', { name, exact: true }).click()
}
const button = (name: string) => (page: Page) => page.getByLabel(name, { exact: true }).click()
const channelEntry = (name: string) => async (page: Page) => {
  await button('More')(page)
  await page.getByRole('button', { name }).click()
}
const channelTab = (tab: string) => async (page: Page) => {
  await channelEntry('Channel settings')(page)
  await page.getByRole('tab', { name: tab }).click()
}
const groupTab = (tab: string) => async (page: Page) => {
  await entry('Groups')(page)
  await page.getByRole('button', { name: 'harbour crew' }).first().click()
  await page.getByRole('tab', { name: tab }).click()
}
const searchButton = (page: Page) => page.getByRole('button', { name: 'Search messages' }).click()
const onMessage = (text: string, label: string) => async (page: Page) => {
  await messageWith(page, text).waitFor()
  // A feed that still moves takes the button away under the pointer.
  await atRest(page)
  await messageWith(page, text).focus()
  await messageWith(page, text).getByLabel(label, { exact: true }).click()
}

const inMenu = (name: string) => async (page: Page) => {
  await onMessage('On it', 'More actions')(page)
  await page.getByRole('menuitem', { name }).click()
}

// What lies above a view until Escape closes it.
const overlays = 'dialog[open], :popover-open, [role=listbox]'

/** Every view and dialog of the page. */
const views: readonly View[] = [
  { name: 'signing in', at: 'login/', isSignedOut: true, isAlone: true, shows: 'text=to Lighthouse' },
  { name: 'server status', isAlone: true, at: 'status', shows: 'text=All is well' },
  { name: 'the list', shows: '.sidebar' },
  // Before all messages are shown, which reads them.
  { name: 'what is new in a channel', shows: '.news .choice', open: newsOfChannel },
  { name: 'inbox', at: '#inbox', shows: '.inbox-row' },
  { name: 'a notice with an offer', isAlone: true, at: '#inbox', shows: '.toast-offer', open: markRead },
  { name: 'recent conversations', at: '#recent', shows: '.recent-row' },
  { name: 'all messages', at: '#all', shows: '.message' },
  { name: 'mentions', at: '#mentions', shows: '.message' },
  { name: 'starred', at: '#starred', shows: 'text=Messages that you star' },
  { name: 'scheduled messages and reminders', at: '#scheduled', shows: '.scheduled' },
  { name: 'a channel', at: '#channel/CHANNEL', shows: '.message' },
  { name: 'a topic', at: topic, shows: 'text=acknowledge(batch.last)' },
  { name: 'a resolved topic', at: '#channel/CHANNEL/%E2%9C%94%20done', shows: 'text=It is done.' },
  { name: 'messages of all kinds', at: '#channel/CHANNEL/kinds', shows: '.message .widget' },
  { name: 'a conversation', at: '#direct/MEI', shows: '.message' },
  {
    name: 'two conversations',
    at: `${topic}&beside=direct/MEI`,
    shows: '.pane.beside .message',
    isWide: true,
  },
  { name: 'a search', at: '#search/build', shows: '.message' },
  { name: 'suggestions of the search', at: topic, shows: '.search-offer', open: searchButton },
  { name: 'an unknown operator', at: '#search/foo:bar', shows: 'text=Search all public channels' },
  { name: 'going to a place', shows: '.jump .offer', open: button('Go to …') },
  { name: 'forwarding', at: topic, shows: '.jump .offer', open: inMenu('Forward') },
  { name: 'an unsent message', isAlone: true, at: '#direct/MEI', shows: '.unsent', open: writeWithoutConnection },
  { name: 'menu of a view', at: topic, shows: 'text=Mute topic', open: button('More') },
  { name: 'menu of a row of the list', shows: 'text=Pin to the top', open: rowMenu },
  { name: 'menu of a section of the list', shows: 'text=Mark all as read', open: button('Actions on Channels') },
  { name: 'a new folder', shows: 'dialog', open: newFolder },
  { name: 'the list, filtered', isAlone: true, shows: '.list-note', open: filterList },
  { name: 'the list, collapsed', isAlone: true, shows: '[aria-expanded=false]', open: collapseSection },
  { name: 'own menu', shows: 'text=Sign out', open: button('Your menu') },
  { name: 'editing', isAlone: true, at: topic, shows: '.edit-box', open: onMessage('The old path stays', 'Edit') },
  { name: 'emoji picker', at: topic, shows: '.emoji-choice', open: onMessage('On it', 'React with another emoji') },
  {
    name: 'completion',
    isAlone: true,
    at: topic,
    shows: '.offer',
    open: page => page.locator('.composer-text').pressSequentially('@Me'),
  },
  { name: 'attached files', isAlone: true, at: topic, shows: '.attached-file:not(.upload)', open: attachFiles },
  { name: 'sending later', isAlone: true, at: topic, shows: '.time-choice', open: sendLater },
  { name: 'being reminded', at: topic, shows: '.time-choice', open: inMenu('Remind me') },
  { name: 'a person', at: '#direct/MEI', shows: 'dialog', open: page => page.locator('.title-person').click() },
  { name: 'settings: the list', at: '#settings', shows: '.settings-links' },
  { name: 'settings: profile', at: '#settings/profile', shows: '.settings-form' },
  { name: 'settings: account', at: '#settings/account', shows: '.settings-form' },
  { name: 'settings: appearance', at: '#settings/appearance', shows: '.settings-form' },
  { name: 'settings: notifications', at: '#settings/notifications', shows: '.settings-form' },
  { name: 'settings: privacy', at: '#settings/privacy', shows: '.settings-form' },
  { name: 'settings: alert words', at: '#settings/alert-words', shows: '.settings-form' },
  { name: 'settings: muted topics', at: '#settings/muted-topics', shows: '.settings-form' },
  { name: 'settings: muted people', at: '#settings/muted-people', shows: '.settings-form' },
  { name: 'people', at: topic, shows: '.person-row', open: button('People') },
  { name: 'channel: settings', at: topic, shows: 'dialog .tab-panel', open: channelTab('Settings') },
  { name: 'channel: permissions', at: topic, shows: 'dialog .tab-panel', open: channelTab('Permissions') },
  { name: 'channel: holders of a permission', at: topic, shows: '.holder-editor .offer', open: editHolders },
  { name: 'channel: members', at: topic, shows: 'dialog .choice-main', open: channelTab('Members') },
  { name: 'channel: topics', at: topic, shows: 'dialog .topic-choice', open: channelTab('Topics') },
  {
    name: 'channel: notifications',
    at: topic,
    shows: 'dialog .tab-panel select',
    open: channelEntry('Notifications'),
  },
  { name: 'groups', shows: 'dialog .choice-main', open: entry('Groups') },
  { name: 'a new group', shows: 'dialog form', open: newGroup },
  { name: 'group: settings', shows: 'dialog .tab-panel', open: groupTab('Settings') },
  { name: 'group: members', shows: 'dialog .choice-main', open: groupTab('Members') },
  { name: 'group: permissions', shows: 'dialog .tab-panel', open: groupTab('Permissions') },
  { name: 'moving a message', at: topic, shows: 'dialog form', open: onMessage('On it', 'Move') },
  { name: 'snippets', at: topic, shows: 'dialog', open: button('Snippets') },
  { name: 'a new snippet', at: topic, shows: 'dialog form', open: newSnippet },
  { name: 'keys', shows: 'dialog', open: entry('Keyboard') },
  { name: 'own status', shows: 'dialog', open: entry('Your status') },
  { name: 'do not disturb', shows: 'dialog', open: entry('Do not disturb') },
  { name: 'files', shows: '.files-dialog .choice', open: entry('Files') },
  { name: 'drafts', shows: 'dialog', open: entry('Drafts') },
  { name: 'own picture', shows: 'dialog', open: entry('Your picture') },
  { name: 'a part of a picture', shows: '.crop canvas', open: cropPicture },
  { name: 'organization: general', at: '#organization/general', shows: '.settings-form' },
  { name: 'organization: permissions', at: '#organization/permissions', shows: '.settings-form' },
  { name: 'organization: messages', at: '#organization/messages', shows: '.settings-form' },
  { name: 'organization: new-users', at: '#organization/new-users', shows: '.settings-form' },
  { name: 'organization: people', at: '#organization/people', shows: '.person-link' },
  { name: 'organization: invitations', at: '#organization/invitations', shows: '.entry-form', open: inviteByMail },
  { name: 'organization: groups', at: '#organization/groups', shows: '.tree' },
  { name: 'organization: channels', at: '#organization/channels', shows: '.settings-form .choice-main' },
  { name: 'organization: default-channels', at: '#organization/default-channels', shows: '.entries' },
  { name: 'organization: profile-fields', at: '#organization/profile-fields', shows: '.listed' },
  { name: 'organization: linkifiers', at: '#organization/linkifiers', shows: '.entries' },
  { name: 'organization: playgrounds', at: '#organization/playgrounds', shows: '.entries' },
  { name: 'organization: joining', at: '#organization/joining', shows: '.facts' },
  { name: 'organization: folders', at: '#organization/folders', shows: '.settings-form' },
  { name: 'organization: domains', at: '#organization/domains', shows: '.settings-form' },
  { name: 'organization: audit log', at: '#organization/audit-log', shows: '.settings-form' },
  { name: 'organization: closing', at: '#organization/closing', shows: '.settings-form' },
  { name: 'organization: storage', at: '#organization/storage', shows: '.facts' },
  { name: 'organization: a person', at: '#organization/people/MEI', shows: '.person-head' },
  {
    name: 'organization: a new profile field',
    at: '#organization/profile-fields',
    shows: '.entry-form',
    open: addField,
  },
  { name: 'organization: emoji', at: '#organization/emoji', shows: '.settings-form' },
  { name: 'menu of a message', at: topic, shows: 'text=Copy link', open: onMessage('On it', 'More actions') },
  { name: 'a linked message', at: `${topic}/near/MESSAGE`, shows: '.message.pointed' },
  {
    name: 'a link to a deleted message',
    at: `${topic}/near/999999`,
    shows: 'text=The message of this link was deleted',
  },
  {
    name: 'messages kept unread',
    isAlone: true,
    at: topic,
    shows: 'text=Messages stay unread',
    open: inMenu('Mark unread from here'),
  },
  { name: 'about a message', at: topic, shows: 'dialog', open: inMenu('Readers and changes') },
  { name: 'channels', shows: 'dialog', open: button('Browse channels') },
  { name: 'new conversation', shows: 'dialog', open: button('New direct message') },
  { name: 'new topic', at: '#channel/CHANNEL', shows: 'dialog', open: newTopic },
  { name: 'pictures', at: '#channel/CHANNEL/kinds', shows: 'dialog', open: openPicture },
  // It reads what others show as unread.
  {
    name: 'reading through',
    isAlone: true,
    at: '#inbox',
    shows: '.read-through',
    open: button('Read one after the other'),
  },
  // The last: its draft appears in all windows.
  { name: 'a text that is too long', isAlone: true, at: topic, shows: '.characters-left.over', open: writeTooMuch },
]

async function openPicture(page: Page): Promise<void> {
  await page.locator('a.picture').waitFor()
  await atRest(page)
  await page.locator('a.picture').click()
}

async function cropPicture(page: Page): Promise<void> {
  await entry('Your picture')(page)
  const buffer = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a52' } })
    .png()
    .toBuffer()
  await page.getByLabel('Another picture').setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer })
}

async function addField(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add profile field' }).click()
}

async function inviteByMail(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Invite people by mail' }).click()
}

async function rowMenu(page: Page): Promise<void> {
  await page.locator('.sidebar a.row', { hasText: 'general' }).click({ button: 'right' })
}

async function newsOfChannel(page: Page): Promise<void> {
  await page.locator('.sidebar a.row', { hasText: 'releases' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'What is new' }).click()
}

async function newFolder(page: Page): Promise<void> {
  await button('Actions on Channels')(page)
  await page.getByRole('menuitem', { name: 'New folder' }).click()
}

async function filterList(page: Page): Promise<void> {
  await page.locator('.list-filter').fill('no such name')
}

async function collapseSection(page: Page): Promise<void> {
  await page.locator('[data-section=direct] .section-toggle').click()
}

async function editHolders(page: Page): Promise<void> {
  await channelTab('Permissions')(page)
  await button('Choose groups and people: Change the channel')(page)
}

async function newGroup(page: Page): Promise<void> {
  await entry('Groups')(page)
  await page.getByRole('button', { name: 'Create group' }).click()
}

async function newTopic(page: Page): Promise<void> {
  // On a wide screen the composer has the focus, where the key is a letter.
  await page.locator('.message').first().press('c')
}

async function newSnippet(page: Page): Promise<void> {
  await button('Snippets')(page)
  await page.getByRole('button', { name: 'New snippet' }).click()
}

async function writeTooMuch(page: Page): Promise<void> {
  await page.locator('.message').first().waitFor()
  await page.locator('.composer-text').fill('x'.repeat(10_001))
}

async function attachFiles(page: Page): Promise<void> {
  await page.route('**/json/user_uploads', route => route.abort(), { times: 1 })
  const files = ['lost.txt', 'notes.txt'].map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from('notes') }))
  await page.getByLabel('Files', { exact: true }).setInputFiles(files)
}

async function sendLater(page: Page): Promise<void> {
  await page.locator('.composer-text').fill('later')
  await button('Send later')(page)
}

async function markRead(page: Page): Promise<void> {
  await page.locator('.inbox-row .icon-button').first().click()
}

async function writeWithoutConnection(page: Page): Promise<void> {
  await page.locator('.message').first().waitFor()
  await page.context().setOffline(true)
  await page.locator('.composer-text').fill('later')
  await page.getByLabel('Send', { exact: true }).click()
}

/** Opens each view and tests that axe-core finds nothing wrong with it. */
export async function testViews(t: Test, options: BrowserContextOptions, themes: Themes): Promise<void> {
  const server = await startServer(t)
  const { ines, mei, channels } = await workingTeam(server)
  // The messages of the team are from several days.
  await setOrganization(server.sql, { message_content_edit_limit_seconds: null })
  await sayOfAllKinds(ines, channels.engineering as number)
  for (const [name, field_type] of [
    ['About', 2],
    ['Birthday', 4],
    ['Page', 5],
    ['Mentor', 6],
  ] as const) {
    const { id } = await ines.ok('POST', '/realm/profile_fields', { name, field_type, hint: 'As you like.' })
    if (field_type === 6)
      for (const who of [ines, mei])
        await who.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: [ines.id] }] })
  }
  const group = { name: 'harbour crew', description: 'Eats at the harbour.', members: [ines.id, mei.id] }
  const { group_id } = await ines.ok('POST', '/user_groups/create', group)
  await ines.ok('POST', '/user_groups/create', {
    name: 'all crews',
    description: '',
    members: [],
    subgroups: [group_id],
  })
  await mei.ok('POST', '/users/me/status', { status_text: 'at the harbour' })
  const query = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['search', 'flag']] }
  const message = (await ines.ok('GET', '/messages', query)).messages[0].id
  await ines.ok('POST', '/messages', {
    type: 'channel',
    to: channels.engineering,
    topic: '✔ done',
    content: 'It is done.',
  })
  const inAnHour = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600 }
  await ines.ok('POST', '/scheduled_messages', { type: 'direct', to: [mei.id], content: 'Lunch?', ...inAnHour })
  await ines.ok('POST', '/reminders', { message_id: message, note: 'ask again', ...inAnHour })
  const browser = await launchBrowser(t)
  // To load the page takes five times as long as to go from view to view. After a failure the next view has a new window.
  let shared: Window | undefined
  const isPhone = options.isMobile === true
  for (const { name, at = '', shows, open, isSignedOut, isAlone } of views.filter(({ isWide }) => !isWide || !isPhone))
    await t.test(name, async t => {
      const address = at
        .replace('CHANNEL', String(channels.engineering))
        .replace('MEI', String(mei.id))
        .replace('MESSAGE', String(message))
      const present = isAlone ? undefined : shared
      if (!isAlone) shared = undefined
      if (present) await goTo(present.page, address)
      const url = `${server.url}/${address}`
      const window = present ?? (await openWindow(browser, url, isSignedOut ? null : ines, options))
      const { page, wrongs } = window
      await open?.(page)
      await page.locator(shows).first().waitFor()
      if ((await page.locator('.feed-scroll').count()) > 0) await atRest(page)
      t.same(await violationsOf(page, themes), [])
      t.same(wrongs, [])
      if (isAlone) await page.context().close()
      else shared = window
    })
}

/** Goes on to the view of this fragment, by way of one that has nothing of others, so that what is seen next is of the new view. */
async function goTo(page: Page, fragment: string): Promise<void> {
  for (let left = 5; left > 0 && (await page.locator(overlays).count()) > 0; left--) await page.keyboard.press('Escape')
  await historyAtRest(page)
  await page.evaluate(`location.hash = '#starred'`)
  await page.getByText('Messages that you star').waitFor()
  await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`)
}

async function sayOfAllKinds(who: Person, channel: number): Promise<void> {
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a52' } })
    .png()
    .toBuffer()
  const { body } = await sendFiles(who.url, who, '/user_uploads', {
    files: [{ name: 'map.png', bytes: png, type: 'image/png' }],
  })
  const notes = await sendFiles(who.url, who, '/user_uploads', {
    files: [{ name: 'notes.txt', bytes: new Uint8Array(10), type: 'text/plain' }],
  })
  const contents = [
    '```spoiler The end\nThey agree.\n```\n\n# A heading\n\n> quoted\n\n1. one\n2. two\n\n$$a^2 + b^2$$ and <time:2026-01-02T10:00:00Z>',
    '/poll Where to?\n- north\n- south',
    '/todo Before the release\nwrite the notes: with all figures',
    '/me waves',
    `[map.png](${body.url})`,
    `[notes.txt](${notes.body.url})`,
  ]
  for (const content of contents)
    await who.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'kinds', content })
}
