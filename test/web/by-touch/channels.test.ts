import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { channels } from '../support/actions/channels.js'
import { needsBrowser } from '../support/browser.js'
import { touch } from '../support/hands.js'

t.test('channels: every action by touch alone', needsBrowser, t => testActions(t, touch, channels))
