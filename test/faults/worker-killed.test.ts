// SIGKILL of a worker at random moments under load: no event is lost, duplicated or leaked.
import t from 'tap'
import { kills } from './support/amounts.js'
import { killWorkers } from './support/kill-rounds.js'

t.test(`a worker is killed at a random moment, ${kills} times`, t => killWorkers(t, 1))
