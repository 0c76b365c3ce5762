// Each parameter of PATCH /realm and PATCH /settings has a row in the page, to which an address leads, or a reason why not.
import t from 'tap'
import { realmParams } from '../../server/api/settings/realm-params.js'
import { updateSettings } from '../../server/api/settings/update-settings.js'
import { userSettings, withoutDefault } from '../../shared/resources/user-settings.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

const otherClients = 'stored for other clients: this page has nothing that it changes'

const ofOrganization: Readonly<Record<string, string>> = {
  authentication_methods: 'to read in the page: the operator sets them up',
  can_manage_billing_group: 'there are no payments',
  can_summarize_topics_group: 'no user can hold it',
  default_avatar_source: 'has one value',
  require_e2ee_push_notifications: 'refused',
  service_update_announcements_stream_id: 'the server announces no news of itself',
  string_id: 'refused',
  want_advertise_in_communities_directory: 'there is no such directory',
  workplace_users_group: 'refused',
}

const ofUsers: Readonly<Record<string, string>> = {
  display_emoji_reaction_users: otherClients,
  emojiset: otherClients,
  enable_marketing_emails: 'the server sends no such mails',
  enter_sends: otherClients,
  fluid_layout_width: otherClients,
  hide_ai_features: otherClients,
  high_contrast_mode: otherClients,
  left_side_userlist: otherClients,
  starred_message_counts: otherClients,
  user_list_style: otherClients,
  web_animate_image_previews: otherClients,
  web_channel_default_view: otherClients,
  web_escape_navigates_to_home_view: otherClients,
  web_inbox_show_channel_folders: otherClients,
  web_mark_read_on_scroll_policy: otherClients,
  web_navigate_to_sent_message: otherClients,
  web_stream_unreads_count_display_policy: otherClients,
  web_suggest_update_timezone: otherClients,
}

/** Parameters of PATCH /settings that are no rows: forms of the section about the account have them. */
const ofAccount: Readonly<Record<string, string>> = {
  email: 'a form',
  new_password: 'a form',
  old_password: 'a form',
  target_users: 'for whom it is: in the page the user',
}

t.test('each setting has a row, or a reason', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100 })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#organization/general`, owner)
  await page.locator('.settings-pane').waitFor()
  const addresses: string[] = await page
    .locator('.settings-links a')
    .evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  const rows: Record<string, string[]> = { settings: [], organization: [], 'new-users': [] }
  for (const address of addresses) {
    const [about = '', section = ''] = address.slice(1).split('/')
    await page.goto(`${server.url}/${address}`)
    await page.locator(`.settings-links a[href="${address}"][aria-current]`).waitFor()
    const found = await page
      .locator('.settings-pane .setting[data-name]')
      .evaluateAll(entries => entries.map(entry => entry.getAttribute('data-name') ?? ''))
    rows[section === 'new-users' ? section : about]?.push(...found)
  }
  const without = (
    names: readonly string[],
    reasons: Readonly<Record<string, string>>,
    known: readonly string[] = [],
  ) =>
    t.same(
      names.filter(name => !known.includes(name) && !(name in reasons)),
      [],
    )
  const both = (known: readonly string[] = [], reasons: Readonly<Record<string, string>> = {}) =>
    t.same(
      known.filter(name => name in reasons),
      [],
      'no reason for a row that is there',
    )
  without(Object.keys(realmParams), ofOrganization, rows.organization)
  both(rows.organization, ofOrganization)
  without(Object.keys(updateSettings.params.shape), { ...ofUsers, ...ofAccount }, rows.settings)
  both(rows.settings, ofUsers)
  const defaults = Object.keys(userSettings.shape).filter(name => !(withoutDefault as readonly string[]).includes(name))
  without(defaults, ofUsers, rows['new-users'])

  await t.test('a search leads to the row', async t => {
    for (const [words, address] of [
      ['welcome message own', 'organization/joining/welcome_message_custom_text'],
      ['resolved notice', 'settings/notifications/resolved_topic_notice_auto_read_policy'],
      ['delete all people', 'organization/permissions/can_delete_any_message_group'],
    ] as const) {
      await page.getByLabel('Find a setting').fill(words)
      await page.locator('.settings-links a.hit').first().click()
      await page.locator(`.setting.meant[data-name="${address.split('/')[2]}"]`).waitFor()
      t.equal(new URL(page.url()).hash, `#${address}`)
      t.ok(await page.locator('.setting.meant :is(input, select, textarea, button):focus').count(), 'with the focus')
    }
  })

  await t.test('the welcome message is sent to oneself as a test', async t => {
    await page.goto(`${server.url}/#organization/joining`)
    await page.getByLabel('Welcome message of your own').fill('Welcome **aboard**')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Send it to me as a test' }).click()
    await page.getByText('The welcome bot has written to you.').waitFor()
    const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    t.match(messages, [{ content: '<p>Welcome <strong>aboard</strong></p>', sender_full_name: 'Welcome Bot' }])
  })

  await t.test('texts in Markdown have a preview, and an empty address of calls is that of the server', async t => {
    await page.goto(`${server.url}/#organization/general/description`)
    await page.getByLabel('Description').fill('We keep **lights**.')
    await page.keyboard.press('Tab')
    await page.locator('.setting', { hasText: 'Description' }).getByText('Preview').click()
    await page.locator('.markdown-preview strong', { hasText: 'lights' }).waitFor()
    const calls = page.getByLabel('Address of the server for video calls')
    const stored = async () =>
      (await owner.ok('POST', '/register', { fetch_event_types: ['realm'] })).realm_jitsi_server_url
    for (const [written, kept] of [
      ['https://calls.example', 'https://calls.example'],
      ['', null],
    ] as const) {
      await calls.fill(written)
      await page.keyboard.press('Tab')
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
      t.equal(await stored(), kept)
    }
  })
  t.same(
    wrongs.filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})
