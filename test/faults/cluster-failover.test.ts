import t from 'tap'
import { killMasters } from './support/cluster-kills.js'

t.test('each master of a Redis Cluster is killed in turn, and its replica takes its place', t => killMasters(t, 0))
