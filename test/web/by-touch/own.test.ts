import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { own } from '../support/actions/own.js'
import { needsBrowser } from '../support/browser.js'
import { touch } from '../support/hands.js'

t.test('own: every action by touch alone', needsBrowser, t => testActions(t, touch, own))
