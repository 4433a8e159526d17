@metadata
Feature: Metadata

  @helix-ui.metadata.start @must
  Rule: A start has its metadata

    Scenario: Metadata of a start
      When a request with the start metadata {"environment": "test", "tokens": 7}, and this script:
        """
        [{"text": "Hello."}]
        """
      Then the start of the response has the metadata {"environment": "test", "tokens": 7}

  @helix-ui.metadata.finish @must
  Rule: A finish has its metadata

    Scenario: Metadata of a finish
      When a request with the finish metadata {"environment": "test", "tokens": 7}, and this script:
        """
        [{"text": "Hello."}]
        """
      Then the finish of the response has the metadata {"environment": "test", "tokens": 7}

  @helix-ui.metadata.computed @must
  Rule: Metadata may be computed

    Scenario: Metadata of the agent
      When a request with the start metadata {"agent": "{agentId}"}, and this script:
        """
        [{"text": "Hello."}]
        """
      Then the start of the response has the metadata {"agent": "{agentId}"}

  @helix-ui.metadata.absent @must-not
  Rule: No metadata is no member

    Scenario: A message without metadata
      When a request with this script:
        """
        [{"text": "Hello there."}]
        """
      Then no part of the response has metadata
