import t from 'tap'
import { killMasters } from './support/cluster-kills.js'

// What asynchronous copying may lose, in the worst case that the server is made for.
const lostMs = 1000

t.test('each master of a Redis Cluster is killed in turn, and its replica lacks what came last', t =>
  killMasters(t, lostMs),
)
