// SIGKILL of two workers at once at random moments: an adopting worker may be killed during the adoption.
import t from 'tap'
import { kills } from './support/amounts.js'
import { killWorkers } from './support/kill-rounds.js'

t.test(`two workers are killed at a random moment, ${kills / 2} times`, t => killWorkers(t, 2))
