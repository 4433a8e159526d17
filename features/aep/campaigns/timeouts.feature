@limits @threads
Feature: Histories of streams that take too long

  @aep.errors.timeout @aep.errors.timeout-early @must @must-not @no-transcript:the-seed-draws-what-is-played
  Rule: A stream that takes too long ends, and its thread goes on

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                    |
        | streams that take too long |
