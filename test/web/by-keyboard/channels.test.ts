import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { channels } from '../support/actions/channels.js'
import { needsBrowser } from '../support/browser.js'
import { keyboard } from '../support/hands.js'

t.test('channels: every action by the keyboard alone', needsBrowser, t => testActions(t, keyboard, channels))
