// A bot as people write it with zulip-js. Its loop never ends, so that it runs in a process of its own, which the test kills.
import zulip from 'zulip-js'

const [, , realm = '', username = '', apiKey = ''] = process.argv
const client = await zulip({ realm, username, apiKey })
await client.callOnEachEvent(event => process.send?.(event), ['message', 'reaction', 'typing', 'update_message_flags'])
