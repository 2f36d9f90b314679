import { mount } from 'svelte'
import App from './App.svelte'
import { preferences } from './lib/preferences.svelte'
import { router } from './lib/router.svelte'
import './style.css'

preferences.start()
router.start()
const target = document.getElementById('page')
if (target) mount(App, { target })
