Feature: The wire

  @beacon.wire.content-type @must
  Rule: A stream is an event stream

    Scenario: A stream
      Given the order "land"
      When a watcher asks for the order
      Then the watcher sees lit, flash "land", dark
      And no exchange of this scenario breaks this rule

  @beacon.wire.object @must
  Rule: Data is an object

    Scenario: A stream with a text that needs escapes
      Given the order "\"land\"\n"
      When a watcher asks for the order
      Then the watcher sees lit, flash "\"land\"\n", dark
      And no exchange of this scenario breaks this rule
