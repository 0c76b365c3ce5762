import type { Cast } from './cast.js'

export async function showGroups({ ada, ben, cleo, name }: Cast): Promise<void> {
  const { group_id: group } = await ada.ok('POST', '/user_groups/create', {
    name: name('designers'),
    description: 'People who draw.',
    members: [ada.id, ben.id],
  })
  const { group_id: inner } = await ada.ok('POST', '/user_groups/create', {
    name: name('writers'),
    description: 'People who write.',
    members: [ada.id],
  })
  await ada.ok('PATCH', `/user_groups/${group}`, { description: 'People who draw and paint.' })
  await ada.ok('POST', `/user_groups/${group}/members`, { add: [cleo.id], delete: [ben.id] })
  await ada.ok('POST', `/user_groups/${group}/subgroups`, { add: [inner] })
  await ben.ok('GET', '/user_groups')
  await ben.ok('GET', `/user_groups/${group}/members`, { direct_member_only: false })
  await ben.ok('GET', `/user_groups/${group}/members/${cleo.id}`)
  await ben.ok('GET', `/user_groups/${group}/subgroups`)
  await ada.ok('POST', `/user_groups/${group}/deactivate`)
}

export async function showLinkifiers({ ada, ben }: Cast): Promise<void> {
  const { id } = await ada.ok('POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://tickets.example/{id}',
  })
  await ada.ok('PATCH', `/realm/filters/${id}`, {
    pattern: 'ticket (?P<id>[0-9]+)',
    url_template: 'https://tickets.example/{id}',
  })
  const { id: other } = await ada.person.ok('POST', '/realm/filters', {
    pattern: 'order (?P<id>[0-9]+)',
    url_template: 'https://orders.example/{id}',
  })
  await ada.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [other, id] })
  await ben.ok('GET', '/realm/linkifiers')
  await ada.ok('DELETE', `/realm/filters/${id}`)
  await ada.person.ok('DELETE', `/realm/filters/${other}`)
}

export async function showPlaygrounds({ ada, ben, name }: Cast): Promise<void> {
  const { id } = await ada.ok('POST', '/realm/playgrounds', {
    name: name('Sandbox'),
    pygments_language: 'Python',
    url_template: 'https://run.example/{?code}',
  })
  await ada.ok('DELETE', `/realm/playgrounds/${id}`)
  await ada.ok('POST', '/realm/domains', { domain: 'team.example', allow_subdomains: false })
  await ada.ok('PATCH', '/realm/domains/team.example', { allow_subdomains: true })
  await ben.ok('GET', '/realm/domains')
  await ada.ok('DELETE', '/realm/domains/team.example')
}

export async function showOrganization({ ada }: Cast): Promise<void> {
  const { realm_name } = await ada.person.ok('POST', '/register', { fetch_event_types: ['realm'] })
  const { user_groups } = await ada.person.ok('GET', '/user_groups')
  const moderators = user_groups.find(({ name }: { name: string }) => name === 'role:moderators').id
  await ada.ok('POST', '/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: 'Welcome **aboard**!' })
  await ada.ok('PATCH', '/realm', {
    name: 'Lovelace & Sons',
    message_content_edit_limit_seconds: 3600,
    can_add_custom_emoji_group: { new: moderators },
  })
  const members = user_groups.find(({ name }: { name: string }) => name === 'role:members').id
  await ada.person.ok('PATCH', '/realm', {
    name: realm_name,
    message_content_edit_limit_seconds: 600,
    can_add_custom_emoji_group: { new: members },
  })
  await ada.ok('GET', '/realm/audit_log', { event: 'realm/update_dict', limit: 1 })
}

export async function showProfileFields({ ada, ben }: Cast): Promise<void> {
  const { id } = await ada.ok('POST', '/realm/profile_fields', {
    field_type: 1,
    name: 'Phone',
    hint: 'With the country code.',
  })
  await ada.ok('PATCH', `/realm/profile_fields/${id}`, { display_in_profile_summary: true })
  const { id: other } = await ada.person.ok('POST', '/realm/profile_fields', { field_type: 1, name: 'Desk' })
  const { custom_fields } = await ben.ok('GET', '/realm/profile_fields')
  await ada.ok('PATCH', '/realm/profile_fields', {
    order: custom_fields.map((field: { id: number }) => field.id).reverse(),
  })
  await ben.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: '+47 22 00 00 00' }] })
  await ben.ok('DELETE', '/users/me/profile_data', { data: [id] })
  await ada.ok('DELETE', `/realm/profile_fields/${id}`)
  await ada.person.ok('DELETE', `/realm/profile_fields/${other}`)
}

export async function showPictures({ ada, ben, picture }: Cast): Promise<void> {
  const file = { name: 'picture.png', type: 'image/png', bytes: picture }
  await ada.sendFile('/realm/emoji/kettle', file)
  await ben.ok('GET', '/realm/emoji')
  await ada.ok('DELETE', '/realm/emoji/kettle')
  await ben.sendFile('/users/me/avatar', file)
  await ben.ok('DELETE', '/users/me/avatar')
  await ada.sendFile('/realm/icon', file)
  await ben.get('/realm/icon')
  await ada.ok('DELETE', '/realm/icon')
  await ada.sendFile('/realm/logo', file, { night: false })
  await ben.get('/realm/logo', { night: false })
  await ada.ok('DELETE', '/realm/logo', { night: false })
  await ada.ok('PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: true })
  await ada.person.ok('PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: false })
}
