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
  const say = async (who: Person, where: string | readonly Person[], topic: string, content: string, pause = 3) => {
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

  await say(jonas, 'random', 'coffee', 'The new machine is here. It makes noise *and* coffee.', 40)
  await say(mei, 'random', 'coffee', 'I hear it from the third floor :joy:', 200)
  await say(amara, 'general', 'offsite', 'Trains are booked: we leave on Thursday at 9:12.', 120)
  await say(tomas, 'general', 'offsite', 'Who brings the projector?', 400)
  await say(bot, 'releases', 'builds', 'Build **1184** passed in `2 min 41 s`.', 90)
  await say(priya, 'design', 'onboarding', 'Three screens instead of five. Sketches are in the usual place.', 30)
  await say(
    tomas,
    'engineering',
    'queue latency',
    'p99 went from 38 ms to 11 ms after yesterday’s change. I did not expect that much.',
    12,
  )
  const chart = await say(
    tomas,
    'engineering',
    'queue latency',
    'Before and after, same load:\n\n| load | before | after |\n|---|---|---|\n| 1,000 clients | 38 ms | 11 ms |\n| 5,000 clients | 121 ms | 29 ms |',
    2,
  )
  await react(ines, chart, 'tada')
  await react(priya, chart, 'tada')
  await react(mei, chart, 'tada')
  await react(jonas, chart, 'rocket')
  await say(
    mei,
    'engineering',
    'queue latency',
    '```quote\nI did not expect that much.\n```\n\nMost of it is the batch size: we acknowledged one by one.',
    6,
  )
  const code = await say(
    mei,
    'engineering',
    'queue latency',
    'The part that matters:\n\n```ts\nfor await (const batch of queue.batches({ most: 128 })) {\n  await store.append(batch)\n  queue.acknowledge(batch.last)\n}\n```',
    1,
  )
  await react(tomas, code, '+1')
  await say(
    jonas,
    'engineering',
    'queue latency',
    `Nice. @**${ines.full_name}** shall we roll it out today, or wait for the offsite?`,
    9,
  )
  const answer = await say(
    ines,
    'engineering',
    'queue latency',
    'Today. The old path stays behind a flag for a week.',
    4,
  )
  await react(jonas, answer, '+1')
  await react(tomas, answer, '+1')
  await say(
    ines,
    'engineering',
    'queue latency',
    '- [release notes](https://example.org/notes) by noon\n- rollback is one switch, see #**releases>builds**',
    1,
  )
  await say(tomas, 'engineering', 'queue latency', 'On it. :ship:', 8)
  await say(priya, 'engineering', 'flaky test', 'Seed 4711 fails on my machine, every time. That is good news.', 3)
  await say(amara, 'leadership', 'next year', 'A first list of what we will *not* do.', 5)
  await say(bot, 'releases', 'builds', 'Build **1185** passed in `2 min 38 s`.', 2)
  await say(jonas, 'design', 'onboarding', 'The second one, please. It says what happens next.', 4)
  await say(ines, [mei], '', 'Do you have ten minutes after lunch?', 10)
  await say(mei, [ines], '', 'Yes! I wanted to show you the profile anyway.', 2)
  await say(mei, [ines], '', '`append` was 61 % of it. Now it is 9 % :sparkles:', 1)
  await say(ines, [mei], '', 'That is the nicest number of the week.', 3)
  await say(mei, [ines], '', 'Wait until you see the *memory* plot.', 1)
  await say(amara, [ines], '', 'Could you look over the agenda before three?', 2)
  await say(tomas, [ines, priya], '', 'Lunch at the harbour, the three of us?', 2)
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
