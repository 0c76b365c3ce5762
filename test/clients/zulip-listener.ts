// A bot as users write it with zulip-js. Its loop never ends, so it runs in a separate process that the test kills.
import zulip from 'zulip-js'

const [, , realm = '', username = '', apiKey = ''] = process.argv
const client = await zulip({ realm, username, apiKey })
await client.callOnEachEvent(event => process.send?.(event), ['message', 'reaction', 'typing', 'update_message_flags'])
