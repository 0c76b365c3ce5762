// Answers users who mention it or send it a direct message. The environment contains its account:
// PARLEY_URL=https://chat.example PARLEY_EMAIL=bot@chat.example PARLEY_API_KEY=… node answering-bot.mjs
import { connect, RequestError } from 'parley-client'

const { PARLEY_URL: url, PARLEY_EMAIL: email, PARLEY_API_KEY: apiKey } = process.env
if (!url || !email || !apiKey) {
  console.error('Set PARLEY_URL, PARLEY_EMAIL and PARLEY_API_KEY.')
  process.exit(1)
}

// A bot receives messages in channels that it is subscribed to, and direct messages. `apply_markdown: false`: as
// Markdown.
const client = connect({ url, email, apiKey, register: { event_types: ['message'], apply_markdown: false } })

client.observe('state', ({ state, retryInMs, closed, reason }) => {
  if (retryInMs !== undefined) console.log(`${state}: closed with ${closed?.code}, again in ${retryInMs} ms`)
  else console.log(reason ? `${state}: ${reason}` : state)
})
// The server evicted the queue during a long absence: the bot does not answer messages from that time.
client.observe('restarted', () => console.log('a gap: some messages were missed'))
client.observe('error', error => console.error(error))

// The client delivers the next event, and acknowledges this one, when this listener has finished: no failure skips a
// message.
client.on('message', async ({ message, flags }) => {
  const isForMe = flags.includes('mentioned') || message.type === 'private'
  if (!isForMe || message.sender_id === (await ownId())) return
  const words = message.content.replace(/@\*\*[^*]+\*\*/g, '').trim()
  try {
    await client.request('POST', '/messages', { ...placeOf(message), content: answerTo(words) })
  } catch (error) {
    // The server refused this one message; after a lost connection the bot does not know whether the answer was sent.
    if (!(error instanceof RequestError)) throw error
    console.error(`not answered: ${error.code} ${error.message}`)
  }
})

const own = { id: 0 }
/** The bot receives its own answers as events, too, and must not answer them. */
async function ownId() {
  own.id ||= (await client.request('GET', '/users/me')).user_id
  return own.id
}

function answerTo(words) {
  if (/^(help|\?)?$/i.test(words)) return 'Say `time`, or anything else and I repeat it.'
  if (/^time\b/i.test(words)) return `It is ${new Date().toISOString()}.`
  return `You said: ${words}`
}

/** The place of the message: the same topic, or the same direct conversation. */
function placeOf({ type, stream_id, subject, display_recipient }) {
  if (type === 'stream') return { type: 'channel', to: stream_id, topic: subject }
  return { type: 'direct', to: display_recipient.map(person => person.id) }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => client.close())
const reason = await client.ended
process.exitCode = reason === 'closed' ? 0 : 1
