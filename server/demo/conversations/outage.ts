import type { Conversation } from './conversation.js'

const operations = (topic: string) => ({ channel: 'operations', topic })

/** The checkout of the shop fails for half an hour: from the alert to the lessons. */
export const outageConversations: readonly Conversation[] = [
  {
    to: operations('checkout outage'),
    daysAgo: 2,
    said: [
      {
        at: '14:19',
        from: 'bot',
        content: ':rotating_light: **checkout**: 9.4 % of requests fail (limit 2 %). Latency p99 372 ms. @*on-call*',
      },
      { at: '14:20', from: 'engineer', content: 'I have it. Ravi, can you look at the database?' },
      { at: '14:21', from: 'support', content: 'Three customers write that they cannot pay. I tell them we know.' },
      {
        at: '14:24',
        from: 'operator',
        content:
          "The database is idle, but its pool is full:\n\n```sql\nselect state, count(*)\nfrom pg_stat_activity\nwhere application_name = 'checkout'\ngroup by state;\n\n         state          | count\n------------------------+-------\n idle in transaction    |    58\n active                 |     2\n```",
        reactions: { eyes: ['engineer', 'member'] },
      },
      {
        at: '14:26',
        from: 'engineer',
        content:
          '58 transactions that wait for something else. Since 14:16, which is the deployment of build **47**. @**Mehmet Ember** that was the receipt by mail?',
      },
      {
        at: '14:28',
        from: 'member',
        content:
          'Yes. It sends the mail **inside** the transaction. And the mail provider is slow right now. :face_palm:',
      },
      { at: '14:29', from: 'engineer', content: 'Going back to build **46** now.' },
      { at: '14:33', from: 'bot', content: ':gear: Build **46** is live on 4 of 4 machines.' },
      {
        at: '14:47',
        from: 'bot',
        content: ':check_mark: **checkout**: 0.3 % of requests fail. Latency p99 44 ms.',
        reactions: { tada: ['engineer', 'operator', 'support'], relieved: ['member', 'owner'] },
      },
      {
        at: '14:52',
        from: 'operator',
        content: 'The half hour as a picture, for the report:',
        picture: 'latency.png',
      },
      {
        at: '14:58',
        from: 'owner',
        content: 'Well done, and calmly. @**Tomás Rivera** please write to the customers who asked. Lessons tomorrow.',
        reactions: { '+1': ['support', 'engineer'] },
      },
    ],
  },
  {
    to: operations('checkout outage: lessons'),
    daysAgo: 1,
    said: [
      {
        at: '09:01',
        from: 'engineer',
        content:
          'What happened: #**operations>checkout outage**. What we change:\n\n1. Mail is a **job**, written in the transaction and sent after it.\n2. `idle_in_transaction_session_timeout` is 15 s everywhere.\n3. An alert on waiting connections, before customers notice.\n\n| | before | after |\n|---|---|---|\n| alert | 3 min | 30 s |\n| way back | by hand | one command |',
        reactions: { heart: ['operator', 'support'], '+1': ['member', 'administrator', 'owner'] },
      },
      {
        at: '09:12',
        from: 'member',
        content:
          "The first is done. The change in one look:\n\n```diff\n- await mail.send(receipt(order))\n+ after('mail', receipt(order))\n```",
        reactions: { rocket: ['engineer', 'operator'] },
      },
      {
        at: '09:20',
        from: 'operator',
        content: 'Second and third as well. I broke it on purpose on the test system: 22 s until the alert.',
      },
      {
        at: '09:24',
        from: 'administrator',
        content: '> I broke it on purpose\n\nMy favourite kind of sentence.',
        reactions: { joy: ['operator', 'engineer', 'member', 'colleague'] },
      },
    ],
  },
  {
    to: operations('on call'),
    daysAgo: 0,
    said: [
      { at: '06:02', from: 'operator', content: 'Handing over: a quiet night, one certificate renewed by itself.' },
      {
        at: '06:10',
        from: 'engineer',
        content: 'Thank you. I have it until Friday.',
      },
    ],
  },
]
