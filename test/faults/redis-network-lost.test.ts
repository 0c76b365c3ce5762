// As redis-network.test.ts, with connections that do not survive it.
import t from 'tap'
import { cutFromRedis, longMs } from './support/cut-from-redis.js'

t.test('it forgets the connections', t => cutFromRedis(t, proxy => proxy.forget(), longMs))
t.test('it resets the connections for a while', t => cutFromRedis(t, proxy => proxy.reset(), longMs))
