import { SignJWT } from 'jose'
import { beginSession } from '../../../server/auth/sessions.js'
import { codeAt } from '../../support/authenticator.js'
import { reopen } from '../../support/organization.js'
import { withPresentKey } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'
import { SoftPasskey } from '../../support/soft-passkey.js'
import { zipOf } from '../../support/zip.js'
import { type Cast, jwtSecret, password } from './cast.js'
import type { Recorder } from './recorder.js'

/** What needs no account. */
export async function showSigningIn(server: TestServer, recorder: Recorder, { ada, ben }: Cast): Promise<void> {
  const anyClient = server.api(null)
  const ask = (method: string, path: string, params: Record<string, unknown> = {}) =>
    recorder.record(method, path, params, () => anyClient.call(method, path, params))
  const signing = new SignJWT({ email: ben.email }).setProtectedHeader({ alg: 'HS256' })
  const token = await signing.sign(new TextEncoder().encode(jwtSecret))
  await ask('GET', '/server_settings')
  await ask('GET', '/emoji_data')
  await ask('POST', '/fetch_api_key', { username: ada.email, password })
  await ask('POST', '/jwt/fetch_api_key', { token, include_profile: false })
}

export async function showUsers({ ada, ben, cleo, name }: Cast): Promise<void> {
  const email = `${name('eve')}@chat.example`
  const { user_id } = await ada.ok('POST', '/users', { email, password, full_name: name('Eve') })
  await ben.ok('GET', '/users', { user_ids: [ada.id, user_id], client_gravatar: true })
  await ben.ok('GET', `/users/${cleo.id}`)
  await ben.ok('GET', `/users/${cleo.email}`)
  await ben.ok('GET', '/users/me')
  await ada.ok('PATCH', `/users/${user_id}`, { full_name: name('Eve Miller') })
  await ada.ok('PATCH', `/users/${email}`, { role: 300 })
  await ada.ok('POST', `/users/${cleo.id}/status`, { status_text: 'On a train', emoji_name: 'train' })
  await ben.ok('GET', `/users/${cleo.id}/status`)
  await ben.ok('POST', '/users/me/status', { status_text: 'At lunch', emoji_name: 'bento' })
  await ben.ok('POST', '/users/me/presence', { status: 'active', last_update_id: -1 })
  await cleo.ok('GET', `/users/${ben.id}/presence`)
  await cleo.ok('GET', '/realm/presence')
  await ben.ok('POST', `/users/me/muted_users/${user_id}`)
  await ben.ok('DELETE', `/users/me/muted_users/${user_id}`)
  await ben.ok('POST', '/users/me/alert_words', { alert_words: ['release'] })
  await ben.ok('GET', '/users/me/alert_words')
  await ben.ok('DELETE', '/users/me/alert_words', { alert_words: ['release'] })
  await ben.ok('PATCH', '/users/me/do_not_disturb', { quiet_hours: { from: 1320, to: 420 } })
  await ben.ok('PATCH', '/users/me/sidebar', { sections: ['pinned', 'direct', 'channels'], collapsed: ['channels'] })
  await ben.ok('POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_recent_view_modal' })
  await ada.ok('DELETE', `/users/${user_id}/sessions`)
  await ada.ok('POST', `/users/${user_id}/password_reset`)
  await ada.ok('DELETE', `/users/${user_id}`)
  await ada.ok('POST', `/users/${user_id}/reactivate`)
  await ada.ok('PATCH', `/users/${user_id}/upload_space`, { upload_quota_mib: 500 })
  await ada.ok('GET', `/users/${user_id}/upload_space`)
  await ada.ok('GET', `/users/${user_id}/erasure`)
  await ada.ok('POST', `/users/${user_id}/erase`, { messages: 'keep' })
}

/** Without the job that writes the archive, because tests of statements run none. */
export async function showExports({ ada, ben }: Cast, { sql }: TestServer): Promise<void> {
  await ada.ok('GET', '/export/realm/consents')
  const { id } = await ada.ok('POST', '/export/realm', { export_type: 'public' })
  await sql`delete from jobs where key = 'exports'`
  await sql`update exports set state = 'ready', finished = now() where id = ${id}`
  await ada.ok('GET', '/export/realm')
  await ada.ok('DELETE', `/export/realm/${id}`)
  // It does not count for the next round.
  await sql`update exports set requested = now() - interval '8 days' where id = ${id}`

  const { id: own } = await ben.ok('POST', `/users/${ben.id}/exports`)
  await sql`delete from jobs where key = 'exports of people'`
  await sql`update exports set state = 'ready', finished = now(), requested = now() - interval '8 days' where id = ${own}`
  await ben.ok('GET', `/users/${ben.id}/exports`)
  await ben.ok('DELETE', `/users/${ben.id}/exports/${own}`)
}

/** Without the jobs that check and import the archive. */
export async function showImports({ ada }: Cast, { sql }: TestServer): Promise<void> {
  const zip = { name: 'slack-export.zip', type: 'application/zip', bytes: new Uint8Array(zipOf([])) }
  const { url } = await ada.sendFile('/user_uploads', zip)
  const { id } = await ada.ok('POST', '/imports', { path_id: url.replace('/user_uploads/', '') })
  await sql`delete from jobs where key = 'imports'`
  await sql`
    update import_requests set state = 'ready', digest = ${`digest ${id}`}, plan = ${sql.json(plan)} where id = ${id}`
  await ada.ok('GET', '/imports')
  await ada.ok('GET', `/imports/${id}`)
  await ada.ok('POST', `/imports/${id}/start`, {
    people: { U02: ada.id },
    channels: { C02: 'old talk' },
    left_out_channels: ['C03'],
  })
  await sql`delete from jobs where key = 'imports'`
  await sql`update import_requests set state = 'failed', reason = '', ended = now() where id = ${id}`
  await sql`
    insert into imports (source, digest, state, first_id, last_id, checked)
    values ('Slack', ${`digest ${id}`}, 'finished', 1, 1, '{}')`
  await ada.ok('POST', `/imports/${id}/undo`)
  await sql`delete from jobs where key = 'imports'`
  await sql`delete from imports`
  await sql`update import_requests set state = 'undone' where id = ${id}`
  await ada.ok('DELETE', `/imports/${id}`)
}

const plan = {
  checked: {
    source: 'Slack',
    people: { people: 12, bots: 1, deactivated: 2, guests: 0, here: 3, without_address: ['Carl'], unlisted: 0 },
    channels: { public: 3, private: 1, archived: 1, renamed: [] },
    conversations: 9,
    custom_emoji: 4,
    messages: {
      source: 1204,
      kept: 1180,
      dropped: { channel_join: 23 },
      faulty: 1,
      replies: 210,
      first: '2021-03-04T09:00:00.000Z',
      last: '2026-11-27T16:30:00.000Z',
    },
    reactions: 340,
    files: { in_archive: 0, to_download: 31, links: 2, lost: {}, bytes: 52_428_800 },
    faults: [
      { kind: 'records that are no messages', count: 1, first: ['general/2024-03-04.json #17: it is a number'] },
    ],
  },
  choosable: {
    people: [{ key: 'U02', name: 'Carl', email: null, is_bot: false, is_active: true, user_id: null }],
    channels: [{ key: 'C02', name: 'old-talk', is_private: false, is_archived: true, members: 4 }],
  },
}

export async function showOwnThings({ ben, weather, name }: Cast, { sql, url }: TestServer): Promise<void> {
  await ben.ok('PATCH', '/settings', { twenty_four_hour_time: true, web_font_size_px: 16 })
  await ben.ok('PATCH', '/settings/display', { color_scheme: 2 })
  await ben.ok('PATCH', '/settings/notifications', { enable_sounds: false })
  await ben.ok('POST', '/zcommand', { command: '/ping' })

  const { saved_snippet_id } = await ben.ok('POST', '/saved_snippets', {
    title: 'Meeting',
    content: 'We meet at ten in the kitchen.',
  })
  await ben.ok('PATCH', `/saved_snippets/${saved_snippet_id}`, { content: 'We meet at eleven in the kitchen.' })
  await ben.ok('GET', '/saved_snippets')
  await ben.ok('DELETE', `/saved_snippets/${saved_snippet_id}`)

  const fragment = 'narrow/is/starred/topic/colors'
  await ben.ok('POST', '/navigation_views', { fragment, is_pinned: true, name: 'To do' })
  await ben.ok('PATCH', `/navigation_views/${fragment}`, { name: 'To do next' })
  await ben.ok('GET', '/navigation_views')
  await ben.ok('DELETE', `/navigation_views/${fragment}`)

  const place = {
    method: 'password',
    address: '203.0.113.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
    since: Number.MAX_SAFE_INTEGER,
  }
  await beginSession({ sql, clock: { now: () => Date.now() }, publicUrl: url }, ben, place)
  const { sessions } = await ben.ok('GET', '/users/me/sessions')
  await ben.ok('DELETE', `/users/me/sessions/${sessions[0].id}`)
  await ben.ok('DELETE', '/users/me/sessions')

  const { id } = await ben.ok('POST', '/users/me/push_devices', {
    endpoint: 'https://push.example/r/4fz1',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    name: 'Firefox, Linux',
  })
  await ben.ok('GET', '/users/me/push_devices')
  await ben.ok('POST', `/users/me/push_devices/${id}/test`)
  await ben.ok('POST', '/mobile_push/e2ee/test_notification')
  await ben.ok('POST', '/mobile_push/test_notification')
  await ben.ok('DELETE', `/users/me/push_devices/${id}`)
  await ben.ok('POST', '/users/me/apns_device_token', { token: 'dG9rZW4=', appid: 'com.example.chat' })
  await ben.ok('POST', '/users/me/android_gcm_reg_id', { token: 'token' })

  const { device_id } = await ben.ok('POST', '/register_client_device')
  await ben.ok('POST', '/remove_client_device', { device_id })

  const { user_id } = await ben.ok('POST', '/bots', {
    full_name: name('Tide Tables'),
    short_name: name('tides'),
    bot_type: 3,
    payload_url: 'https://tides.example/hook',
  })
  await ben.ok('GET', '/bots')
  await ben.ok('PATCH', `/bots/${user_id}`, { service_payload_url: 'https://tides.example/messages' })
  await ben.ok('GET', `/bots/${user_id}/api_key`)
  await ben.ok('POST', `/bots/${user_id}/api_key/regenerate`)
  await ben.ok('DELETE', `/bots/${user_id}`)

  await weather.ok('PUT', '/bot_storage', { storage: { city: 'Oslo' } })
  await weather.ok('GET', '/bot_storage', { keys: ['city'] })
  await weather.ok('DELETE', '/bot_storage', { keys: ['city'] })
  const subscription = await weather.ok('POST', '/event_subscriptions', {
    url: 'https://weather.example/events',
    event_types: ['message', 'reaction'],
  })
  await weather.ok('GET', '/event_subscriptions')
  await weather.ok('PATCH', `/event_subscriptions/${subscription.id}`, { is_active: false })
  await weather.ok('DELETE', `/event_subscriptions/${subscription.id}`)
}

export async function showFactors({ ada }: Cast): Promise<void> {
  const { proof } = await ada.ok('POST', '/users/me/factors/proof', { password })
  const { secret, setup } = await ada.ok('POST', '/users/me/factors/app/setup', { proof })
  await ada.ok('POST', '/users/me/factors/app', { setup, code: codeAt(secret, Date.now()) })
  await ada.ok('GET', '/users/me/factors')
  await ada.ok('POST', '/users/me/factors/recovery_codes', { proof })
  await ada.ok('DELETE', '/users/me/factors/app', { proof })
  const again = await ada.ok('POST', '/users/me/factors/app/setup', { proof })
  await ada.ok('POST', '/users/me/factors/app', { setup: again.setup, code: codeAt(again.secret, Date.now()) })
  await ada.ok('DELETE', `/users/${ada.id}/factors`)
  const { options } = await ada.ok('POST', '/users/me/factors/passkeys/setup', { proof })
  const credential = new SoftPasskey('chat.example', 'https://chat.example').create(options)
  const { id } = await ada.ok('POST', '/users/me/factors/passkeys', { name: 'Laptop', credential })
  await ada.ok('PATCH', `/users/me/factors/passkeys/${id}`, { name: 'Blue laptop' })
  await ada.ok('DELETE', `/users/me/factors/passkeys/${id}`, { proof })
  await ada.ok('PATCH', '/realm/second_factors', { required_for: 'none' })
}

/** What ends the credentials of the caller. */
export async function showLeaving({ ada, dan }: Cast, recorder: Recorder, { sql }: TestServer): Promise<void> {
  await dan.ok('POST', '/users/me/api_key/regenerate')
  const again = recorder.as(await withPresentKey(sql, dan.person))
  await again.ok('DELETE', '/users/me')
  await ada.ok('POST', '/realm/deactivate', { deletion_delay_days: 30 })
  await reopen(sql)
}
