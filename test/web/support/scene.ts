import type { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'

/** A small team at work, for the images of the documentation. */
export async function workingTeam(server: TestServer) {
  const names = ['Ines Moreau', 'Tomas Lind', 'Priya Raman', 'Jonas Weber', 'Amara Okafor', 'Mei Tanaka']
  const [ines, tomas, priya, jonas, amara, mei] = (await Promise.all(
    names.map((full_name, index) => server.person({ full_name, role: index === 0 ? 100 : 400 })),
  )) as [Person, Person, Person, Person, Person, Person]
  const bot = await server.person({ full_name: 'Build bot', bot_type: 1, bot_owner_id: ines.id })
  const all = [ines, tomas, priya, jonas, amara, mei]
  await server.sql`update organization set name = 'Lighthouse'`
  const channels: Record<string, number> = {}
  for (const [name, description, isPrivate] of [
    ['general', 'What concerns everybody.', false],
    ['design', 'Sketches, drafts and second thoughts.', false],
    ['engineering', 'How it is built, and why it broke.', false],
    ['releases', 'What went out, and when.', false],
    ['leadership', 'Plans that are not ripe yet.', true],
    ['random', 'Cats, coffee and the weather.', false],
  ] as const) {
    await ines.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description }],
      principals: [...all, bot].map(person => person.id),
      invite_only: isPrivate,
      send_new_subscription_messages: false,
    })
    channels[name] = (await ines.ok('GET', '/get_stream_id', { stream: name })).stream_id
  }
  let minutes = 60 * 22
  const sent: number[] = []
  const say = async (
    who: Person,
    where: string | readonly Person[],
    topic: string,
    { content, pause = 3 }: { readonly content: string; readonly pause?: number },
  ) => {
    const to =
      typeof where === 'string'
        ? { type: 'channel', to: channels[where], topic }
        : { type: 'direct', to: where.map(one => one.id) }
    const { id } = await who.ok('POST', '/messages', { ...to, content, read_by_sender: true })
    minutes -= pause
    await server.sql`update messages set date_sent = now() - make_interval(mins => ${minutes}) where id = ${id}`
    sent.push(id)
    return id as number
  }
  const react = (who: Person, id: number, emoji_name: string) =>
    who.ok('POST', `/messages/${id}/reactions`, { emoji_name })

  await say(jonas, 'random', 'coffee', { content: 'The new machine is here. It makes noise *and* coffee.', pause: 40 })
  await say(mei, 'random', 'coffee', { content: 'I hear it from the third floor :joy:', pause: 200 })
  await say(amara, 'general', 'offsite', { content: 'Trains are booked: we leave on Thursday at 9:12.', pause: 120 })
  await say(tomas, 'general', 'offsite', { content: 'Who brings the projector?', pause: 400 })
  await say(bot, 'releases', 'builds', { content: 'Build **1184** passed in `2 min 41 s`.', pause: 90 })
  await say(priya, 'design', 'onboarding', {
    content: 'Three screens instead of five. Sketches are in the usual place.',
    pause: 30,
  })
  await say(tomas, 'engineering', 'queue latency', {
    content: 'p99 went from 38 ms to 11 ms after yesterday’s change. I did not expect that much.',
    pause: 12,
  })
  const chart = await say(tomas, 'engineering', 'queue latency', {
    content:
      'Before and after, same load:\n\n| load | before | after |\n|---|---|---|\n| 1,000 clients | 38 ms | 11 ms |\n| 5,000 clients | 121 ms | 29 ms |',
    pause: 2,
  })
  await react(ines, chart, 'tada')
  await react(priya, chart, 'tada')
  await react(mei, chart, 'tada')
  await react(jonas, chart, 'rocket')
  await say(mei, 'engineering', 'queue latency', {
    content: '```quote\nI did not expect that much.\n```\n\nMost of it is the batch size: we acknowledged one by one.',
    pause: 6,
  })
  const code = await say(mei, 'engineering', 'queue latency', {
    content:
      'The part that matters:\n\n```ts\nfor await (const batch of queue.batches({ most: 128 })) {\n  await store.append(batch)\n  queue.acknowledge(batch.last)\n}\n```',
    pause: 1,
  })
  await react(tomas, code, '+1')
  await say(jonas, 'engineering', 'queue latency', {
    content: `Nice. @**${ines.full_name}** shall we roll it out today, or wait for the offsite?`,
    pause: 9,
  })
  const answer = await say(ines, 'engineering', 'queue latency', {
    content: 'Today. The old path stays behind a flag for a week.',
    pause: 4,
  })
  await react(jonas, answer, '+1')
  await react(tomas, answer, '+1')
  await say(ines, 'engineering', 'queue latency', {
    content: '- [release notes](https://example.org/notes) by noon\n- rollback is one switch, see #**releases>builds**',
    pause: 1,
  })
  await say(tomas, 'engineering', 'queue latency', { content: 'On it. :ship:', pause: 8 })
  await say(priya, 'engineering', 'flaky test', {
    content: 'Seed 4711 fails on my machine, every time. That is good news.',
    pause: 3,
  })
  await say(amara, 'leadership', 'next year', { content: 'A first list of what we will *not* do.', pause: 5 })
  await say(bot, 'releases', 'builds', { content: 'Build **1185** passed in `2 min 38 s`.', pause: 2 })
  await say(jonas, 'design', 'onboarding', { content: 'The second one, please. It says what happens next.', pause: 4 })
  await say(ines, [mei], '', { content: 'Do you have ten minutes after lunch?', pause: 10 })
  await say(mei, [ines], '', { content: 'Yes! I wanted to show you the profile anyway.', pause: 2 })
  await say(mei, [ines], '', { content: '`append` was 61 % of it. Now it is 9 % :sparkles:', pause: 1 })
  await say(ines, [mei], '', { content: 'That is the nicest number of the week.', pause: 3 })
  await say(mei, [ines], '', { content: 'Wait until you see the *memory* plot.', pause: 1 })
  await say(amara, [ines], '', { content: 'Could you look over the agenda before three?', pause: 2 })
  await say(tomas, [ines, priya], '', { content: 'Lunch at the harbour, the three of us?', pause: 2 })
  // Read so far, but for the last few.
  await ines.ok('POST', '/messages/flags', { messages: sent.slice(0, -14), op: 'add', flag: 'read' })
  for (const person of [tomas, mei, amara]) await person.ok('POST', '/users/me/presence', { status: 'active' })
  await priya.ok('POST', '/users/me/presence', { status: 'idle' })
  await ines.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id: channels.engineering, property: 'pin_to_top', value: true },
      { stream_id: channels.random, property: 'is_muted', value: true },
    ],
  })
  return { ines, tomas, mei, channels }
}
