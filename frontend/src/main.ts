import { mount } from 'svelte'
import App from './App.svelte'
import { prefs } from './lib/prefs.svelte'
import { router } from './lib/route.svelte'
import './style.css'

prefs.start()
router.start()
const target = document.getElementById('page')
if (target) mount(App, { target })
