// Answers whoever mentions it, or writes to it directly. Its account comes from the environment:
//   PARLEY_URL=https://chat.example PARLEY_EMAIL=bot@chat.example PARLEY_API_KEY=… node answering-bot.mjs
import { connect, RequestError } from 'parley-client'

const { PARLEY_URL: url, PARLEY_EMAIL: email, PARLEY_API_KEY: apiKey } = process.env
if (!url || !email || !apiKey) {
  console.error('Set PARLEY_URL, PARLEY_EMAIL and PARLEY_API_KEY.')
  process.exit(1)
}
// Node 22 has a WebSocket of its own; for Node 20 install the package ws.
const webSocket = globalThis.WebSocket ?? (await import('ws')).WebSocket

// A bot hears the channels that it is subscribed to, and what is sent to it. `apply_markdown: false`: as it was written.
const client = connect({ url, email, apiKey, webSocket, register: { event_types: ['message'], apply_markdown: false } })

client.observe('state', ({ state, retryInMs, closed, reason }) => {
  if (retryInMs !== undefined) console.log(`${state}: closed with ${closed?.code}, again in ${retryInMs} ms`)
  else console.log(reason ? `${state}: ${reason}` : state)
})
// The server dropped the queue, after a long absence: what was said meanwhile is not answered.
client.observe('restarted', () => console.log('a gap: some messages were missed'))
client.observe('error', error => console.error(error))

// The next event comes when this one is done, and it is acknowledged only then: whatever breaks, nothing is skipped.
client.on('message', async ({ message, flags }) => {
  const isForMe = flags.includes('mentioned') || message.type === 'private'
  if (!isForMe || message.sender_id === (await ownId())) return
  const words = message.content.replace(/@\*\*[^*]+\*\*/g, '').trim()
  try {
    await client.request('POST', '/messages', { ...placeOf(message), content: answerTo(words) })
  } catch (error) {
    // A refusal is of this message alone; a lost connection leaves open whether the answer was sent.
    if (!(error instanceof RequestError)) throw error
    console.error(`not answered: ${error.code} ${error.message}`)
  }
})

const own = { id: 0 }
/** Answers of ours come back as events, too: they are not to be answered. */
async function ownId() {
  own.id ||= (await client.request('GET', '/users/me')).user_id
  return own.id
}

function answerTo(words) {
  if (/^(help|\?)?$/i.test(words)) return 'Say `time`, or anything else and I repeat it.'
  if (/^time\b/i.test(words)) return `It is ${new Date().toISOString()}.`
  return `You said: ${words}`
}

/** Where the message came from: the same topic, or the same people. */
function placeOf({ type, stream_id, subject, display_recipient }) {
  if (type === 'stream') return { type: 'channel', to: stream_id, topic: subject }
  return { type: 'direct', to: display_recipient.map(person => person.id) }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => client.close())
const reason = await client.ended
process.exitCode = reason === 'closed' ? 0 : 1
