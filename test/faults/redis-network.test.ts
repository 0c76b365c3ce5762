// The network between one of two workers and Redis is cut and healed, while the other one and PostgreSQL go on. Short, and so
// long that the other worker takes over the queues of those who are still connected to the first one.
import t from 'tap'
import { cutFromRedis, longMs, shortMs } from './support/cut-from-redis.js'

t.test('it stalls for a moment', t => cutFromRedis(t, proxy => proxy.cut(), shortMs))
t.test('it swallows the answers', t => cutFromRedis(t, proxy => proxy.cut('answers'), shortMs))
t.test('it is cut, and heals when others have the queues', t => cutFromRedis(t, proxy => proxy.cut(), longMs))
