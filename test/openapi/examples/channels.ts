import type { Cast } from './cast.js'

/** Makes the channels that later requests name, and returns the id of `design`. */
export async function showChannels({ ada, ben, cleo, name }: Cast): Promise<number> {
  const { id: design } = await ada.ok('POST', '/channels/create', {
    name: name('design'),
    description: 'How things look.',
    subscribers: [ada.id, ben.id, cleo.id],
  })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: name('travel'), description: 'Trains and tickets.' }, { name: name('kitchen') }],
    principals: [ada.id, ben.id],
  })
  await ben.ok('GET', '/get_stream_id', { stream: name('design') })
  await ben.ok('GET', `/streams/${design}`)
  await ben.ok('GET', '/streams', { include_public: true })
  await ben.ok('GET', `/streams/${design}/members`)
  await ben.ok('GET', `/streams/${design}/email_address`)
  await ben.ok('POST', `/streams/${design}/email_address`)
  await ben.ok('GET', `/users/${cleo.id}/subscriptions/${design}`)
  await ben.ok('GET', `/users/${cleo.id}/channels`)
  await ben.ok('GET', '/users/me/subscriptions', { include_subscribers: 'true' })
  await ada.ok('PATCH', `/streams/${design}`, { description: 'How things look, and why.' })
  await ben.ok('PATCH', `/users/me/subscriptions/${design}`, { property: 'color', value: '#3366cc' })
  await ben.ok('POST', `/users/me/subscriptions/${design}`, { property: 'pin_to_top', value: true })
  await ben.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: design, property: 'is_muted', value: true }],
  })
  await cleo.ok('PATCH', '/users/me/subscriptions', { add: [{ name: name('kitchen') }], delete: [name('design')] })
  await cleo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: name('design') }] })
  await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name('travel')] })
  return design
}

export async function showDefaultChannels({ ada, name }: Cast, design: number): Promise<void> {
  await ada.ok('POST', '/default_streams', { stream_id: design })
  await ada.ok('DELETE', '/default_streams', { stream_id: design })
  await ada.ok('POST', '/default_stream_groups/create', {
    group_name: 'Office',
    description: 'For people in the house.',
    stream_names: [name('kitchen')],
  })
  const { realm_default_stream_groups: groups } = await ada.person.ok('POST', '/register', {
    fetch_event_types: ['default_stream_groups'],
  })
  const group = `/default_stream_groups/${groups[0].id}`
  await ada.ok('PATCH', group, { new_description: 'For people who work in the house.' })
  await ada.ok('PATCH', `${group}/streams`, { op: 'add', stream_names: [name('travel')] })
  await ada.ok('DELETE', group)
}

export async function showFolders({ ada, ben, name }: Cast): Promise<void> {
  const { channel_folder_id: folder } = await ada.ok('POST', '/channel_folders/create', {
    name: name('Products'),
    description: 'What we make.',
  })
  await ada.ok('PATCH', `/channel_folders/${folder}`, { name: name('Product') })
  const { channel_folders: all } = await ada.person.ok('GET', '/channel_folders')
  await ada.ok('PATCH', '/channel_folders', { order: all.map(({ id }: { id: number }) => id).reverse() })
  await ben.ok('GET', '/channel_folders', { include_archived: false })
}

/** What a user wants of topics; in the end the topic and another channel are removed. */
export async function showTopics({ ada, ben, name }: Cast, design: number): Promise<void> {
  await ben.ok('GET', `/users/me/${design}/topics`)
  await ben.ok('POST', '/user_topics', { stream_id: design, topic: 'colors', visibility_policy: 3 })
  await ben.ok('PATCH', '/users/me/subscriptions/muted_topics', { stream_id: design, topic: 'fonts', op: 'add' })
  await ben.ok('POST', '/mark_topic_as_read', { stream_id: design, topic_name: 'colors' })
  await ben.ok('POST', '/mark_stream_as_read', { stream_id: design })
  await ben.ok('POST', '/mark_all_as_read')
  await ada.ok('POST', `/streams/${design}/delete_topic`, { topic_name: 'fonts' })
  const { stream_id: travel } = await ada.person.ok('GET', '/get_stream_id', { stream: name('travel') })
  await ada.ok('DELETE', `/streams/${travel}`)
}
