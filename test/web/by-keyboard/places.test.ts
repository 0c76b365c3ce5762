import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { places } from '../support/actions/places.js'
import { needsBrowser } from '../support/browser.js'
import { keyboard } from '../support/hands.js'

t.test('places: every action by the keyboard alone', needsBrowser, t => testActions(t, keyboard, places))
