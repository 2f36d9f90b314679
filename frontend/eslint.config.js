import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import tseslint from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

const UNSAFE_RULES = ['argument', 'assignment', 'call', 'member-access', 'return'].map(
  (name) => `@typescript-eslint/no-unsafe-${name}`,
)
const off = (rules) => Object.fromEntries(rules.map((rule) => [rule, 'off']))

// Prettier formats the code, so only rules about meaning are enabled here.
export default tseslint.config(
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, extraFileExtensions: ['.svelte'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Maps and sets in state are replaced, never changed, so that they need not be reactive.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } },
  },
  // The parser types callbacks in templates as `any`. svelte-check knows their types and checks them.
  { files: ['**/*.svelte'], rules: off(UNSAFE_RULES) },
  // Matchers of Vitest are typed as `any`, and functions that stand in for async ones need not await.
  { files: ['**/*.test.ts'], rules: off([...UNSAFE_RULES, '@typescript-eslint/require-await']) },
  { files: ['*.js'], extends: [tseslint.configs.disableTypeChecked] },
)
