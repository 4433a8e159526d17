Feature: How a response begins and ends

  @helix-ui.flow.start @must
  Rule: A message starts

    Scenario: The first part
      When a request with this script:
        """
        [{"text": "Hello."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start"},
         {"type": "text-start"}]
        """
      And no exchange of this scenario breaks this rule

    Scenario: A failure at once
      When a request with this script:
        """
        [{"fail": "no model"}]
        """
      Then the failure is told with an error part, a status of 400 or more, or a broken connection
      And no exchange of this scenario breaks this rule

  @helix-ui.flow.start-once @must-not
  Rule: A message starts once

    Scenario: Two steps of one message
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny, as I said."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start"},
         {"type": "text-start"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.flow.start-names @should-not @mapping
  Rule: The message has its name before what stays of it

    Scenario: Data that stays in the message
      When a request with this script:
        """
        [{"chunk": {"type": "custom", "eventName": "thread", "data": {"number": 21}}}, {"text": "Hello again."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start"},
         {"type": "text-start"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.flow.finish @must
  Rule: A response says that it is whole

    Scenario: The last part
      When a request with this script:
        """
        [{"text": "That was all."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-end"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

    Scenario: The last part after tools
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"tool": {"name": "weather", "arguments": {"city": "Oslo"}, "result": {"sky": "grey"}}}, {"text": "Sunny, then grey."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-end"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.flow.finish-last @must-not
  Rule: Nothing of the message follows finish

    Scenario: A text that is over
      When a request with this script:
        """
        [{"text": "It is over."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-end"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.flow.done @should
  Rule: A stream says that it is over

    Scenario: The end of a stream
      When a request with this script:
        """
        [{"text": "The end."}]
        """
      Then the response has the text "The end."
      And no exchange of this scenario breaks this rule

    Scenario: The end of a failed stream
      When a request with this script:
        """
        [{"text": "The"}, {"fail": "no model"}]
        """
      Then the failure is told with an error part, a status of 400 or more, or a broken connection
      And no exchange of this scenario breaks this rule

  @helix-ui.flow.done-last @must-not
  Rule: Nothing follows the end of a stream

    Scenario: Behind the end of a stream
      When a request with this script:
        """
        [{"text": "Nothing more."}]
        """
      Then the response has the text "Nothing more."
      And no exchange of this scenario breaks this rule

  @helix-ui.flow.closes @must
  Rule: The body closes

    Scenario: The body of an answer
      When a request with this script:
        """
        [{"text": "Closing."}]
        """
      Then the response has the text "Closing."
      And no exchange of this scenario breaks this rule

  @helix-ui.flow.reason @should
  Rule: Finish says why the model stopped

    Scenario: A model that is done
      When a request with this script:
        """
        [{"text": "All of it."}]
        """
      Then the finish reason of the response is "stop"

    Scenario: A model that may say no more
      When a request with this script:
        """
        [{"text": "Too lo"}, {"finish": "length"}]
        """
      Then the finish reason of the response is "length"

    Scenario: A model that a filter stopped
      When a request with this script:
        """
        [{"text": "That"}, {"finish": "content-filter"}]
        """
      Then the finish reason of the response is "content-filter"
